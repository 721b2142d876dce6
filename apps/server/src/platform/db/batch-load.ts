/**
 * Reads asked for within one turn of the event loop become one statement: under load many calls share a round trip, alone a
 * call waits for nobody. None is answered from a read that began before it was asked for.
 */
export function batchLoad<Key, Value>(read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>) {
  let next: { readonly keys: Set<Key>; readonly answers: Promise<ReadonlyMap<Key, Value>> } | undefined;

  const begin = () => {
    const keys = new Set<Key>();
    const answers = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      next = undefined;
      return read([...keys]);
    });
    return { keys, answers };
  };

  return async (key: Key): Promise<Value | undefined> => {
    next ??= begin();
    next.keys.add(key);
    return (await next.answers).get(key);
  };
}
