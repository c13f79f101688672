const CLOSED = "shop is closed";

class DoorError extends Error {
  constructor(door, code) {
    super(`door ${door.label} is locked with ${code}`);
  }
}

function enter(shop, err) {
  if (!shop) {
    throw new TypeError("no shop was given");
  }
  console.error("can not enter " + shop.title, err);
  const fail = (why) => reject(new RangeError(CLOSED));
  return Promise.reject(new errors.DoorError("door 'A' is \u0041\n"));
}

function dark(text) {
  throw new Error(text());
}
