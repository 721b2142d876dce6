/**
 * Combines all keys requested within one turn of the event loop into a single read, so that many calls share a round trip under load. A
 * result never comes from a read that started before its key was requested.
 */
export function createBatchLoader<Key, Value>(read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>) {
  let nextBatch: { readonly keys: Set<Key>; readonly results: Promise<ReadonlyMap<Key, Value>> } | undefined;

  const startBatch = () => {
    const keys = new Set<Key>();
    const results = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      nextBatch = undefined;
      return read([...keys]);
    });
    return { keys, results };
  };

  return async (key: Key): Promise<Value | undefined> => {
    nextBatch ??= startBatch();
    nextBatch.keys.add(key);
    return (await nextBatch.results).get(key);
  };
}
