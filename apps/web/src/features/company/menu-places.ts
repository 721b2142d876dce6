/** Puts the entries a person sees into their new order; those they do not see keep their place among all. */
export function withNewOrder(all: readonly string[], seen: readonly string[]): string[] {
  const next = seen.values();
  return all.map((id) => (seen.includes(id) ? (next.next().value ?? id) : id));
}
