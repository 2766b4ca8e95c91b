/** Passes things on in the order of their numbers, from `first`, each as soon as those before it were passed on. */
export function createInOrder(first: number): (order: number, pass: () => void) => void {
  const early = new Map<number, () => void>();
  let next = first;
  return (order, pass) => {
    early.set(order, pass);
    for (let due = early.get(next); due !== undefined; due = early.get(next)) {
      early.delete(next);
      next += 1;
      due();
    }
  };
}
