/** Shown until it is known who is signed in. */
export function Loading() {
  return <p className="p-6 text-base text-ink-2">Loading...</p>;
}
