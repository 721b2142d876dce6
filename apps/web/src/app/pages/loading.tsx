/** While it is not known who is there, nothing but this word. */
export function Loading() {
  return <p className="p-6 text-base text-ink-2">Loading...</p>;
}
