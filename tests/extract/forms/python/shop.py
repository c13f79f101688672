import logging

CLOSED = "shop %s is closed"


class DoorError(Exception):
    def __init__(self, door):
        super().__init__(f"door {door.name} is locked")

    def __str__(self):
        return "door {} of {width:>3} is locked, {{sic}}".format(self.door, width=self.width)


def enter(shop, door, err):
    logger.error("can not enter %s: %s", shop.name, err)
    logging.warning(CLOSED, shop)
    self.log.critical("shop %s burns", shop)
    if door is None:
        raise ValueError("no door in %s, %d seen" % (shop, len(doors)))
    raise errors.Locked("door is locked " "and " + "bolted")


def dark(text):
    raise RuntimeError(text[1])
