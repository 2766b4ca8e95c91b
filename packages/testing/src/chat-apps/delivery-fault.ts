/**
 * What a service does to the next thing that it tells Deputy. `twice`: it comes two times. `lost`: the connection ends
 * on the way, so that it comes again. `swapped`: what happens after it comes first. `changed`: this comes in its place.
 */
export type DeliveryFault =
  | { readonly kind: "twice" | "lost" | "swapped" }
  | { readonly kind: "changed"; readonly change: (payload: object) => object };

/** What a service has to tell, with the faults that it is to have on the way. */
export interface Deliveries {
  upset(how: DeliveryFault): void;
  /** Something has happened: `deliver` is called with each thing that is sent for it, now or later. */
  happen(payload: object, deliver: (payload: object, how: "well" | "lost") => void): void;
}

export function createDeliveries(): Deliveries {
  const faults: DeliveryFault[] = [];
  const held: (() => void)[] = [];
  return {
    upset: (how) => void faults.push(how),
    happen(payload, deliver) {
      const fault = faults.shift();
      if (fault?.kind === "swapped") {
        held.push(() => deliver(payload, "well"));
        return;
      }
      if (fault?.kind === "changed") deliver(fault.change(payload), "well");
      else deliver(payload, fault?.kind === "lost" ? "lost" : "well");
      if (fault?.kind === "twice") deliver(payload, "well");
      for (const late of held.splice(0)) late();
    },
  };
}
