/** Works on a few items at a time. After a failure, starts no more of them and throws it. */
export async function forEachAtOnce<Item>(items: Iterable<Item>, count: number, work: (item: Item) => Promise<unknown>): Promise<void> {
  const waiting = items[Symbol.iterator]();
  let hasFailed = false;
  const workOnWaiting = async () => {
    for (let next = waiting.next(); !next.done && !hasFailed; next = waiting.next()) {
      try {
        await work(next.value);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: count }, workOnWaiting));
}
