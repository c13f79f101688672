export class DoorError extends Error {
  constructor(private door: Door, code: number) {
    super(`door ${door.label} is locked with ${code}`);
  }
}

export function enter(shop: Shop | null): Promise<void> {
  if (shop === null) {
    throw new TypeError("no shop was given" as string);
  }
  console.warn("shop is nearly closed");
  return Promise.reject(new Error("shop is closed"));
}
