import { hashKey, partialMatchKey, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { invalidateKeys } from '../query-cache.ts';
import { findDefinition, getOverlays, getVariables } from './define-command.ts';
import { listCommands, subscribeToCommands } from './outbox.ts';
import type { QueuedCommand } from './stored-command.ts';

/** A refused command is no longer shown as if it had happened. */
const isShown = ({ refusal }: QueuedCommand) => refusal === undefined;

/** Returns the server's data as it will be once the waiting commands are accepted. */
export function applyOverlays<Data>(commands: readonly QueuedCommand[], queryKey: QueryKey, data: Data): Data {
  const overlays = commands.filter(isShown).flatMap(getOverlays);
  const hash = hashKey(queryKey);
  const matching = overlays.filter(({ key, exact }) => (exact ? hashKey(key) === hash : partialMatchKey(queryKey, key)));
  return matching.reduce((shown, { apply }) => apply(shown as never, queryKey) as Data, data);
}

export const useCommands = (): readonly QueuedCommand[] => useSyncExternalStore(subscribeToCommands, listCommands);

/** Returns the `select` of a query whose data waiting commands change. The query cache only ever holds what the server has sent. */
export function useOverlays<Data>(queryKey: QueryKey): (data: Data) => Data {
  const commands = useCommands();
  const hash = hashKey(queryKey);
  // oxlint-disable-next-line react/exhaustive-deps -- The hash stands for the key, which is a new array on each render.
  return useCallback((data: Data) => applyOverlays(commands, queryKey, data), [commands, hash]);
}

interface Creation<Data> {
  readonly record: Data;
  /** A refused one, too: what was typed stays on screen until the person discards it. */
  readonly command: QueuedCommand;
}

/** Returns the record that the query would read, and the command that creates it, if the server doesn't have it yet. */
export function findCreation<Data>(commands: readonly QueuedCommand[], queryKey: QueryKey): Creation<Data> | undefined {
  for (const command of commands)
    for (const { key, created } of getOverlays(command)) {
      const isRead = created !== undefined && hashKey(key) === hashKey(queryKey);
      if (isRead) return { command, record: applyOverlays(commands, key, created as Data) };
    }
  return undefined;
}

export function useCreation<Data>(queryKey: QueryKey): Creation<Data> | undefined {
  const commands = useCommands();
  const hash = hashKey(queryKey);
  // oxlint-disable-next-line react/exhaustive-deps -- The hash stands for the key, which is a new array on each render.
  return useMemo(() => findCreation<Data>(commands, queryKey), [commands, hash]);
}

/**
 * Moves an accepted command from the overlay into the cached data. Refetches the data unless the answer replaces it. Must run in the same
 * task in which the command leaves the list, so that nothing flickers.
 */
export function cacheAcceptedCommand(queryClient: QueryClient, command: QueuedCommand, output: unknown): void {
  const definition = findDefinition(command.call);
  const overlays = getOverlays(command);
  const refetched = [...(definition?.invalidates ?? [])];
  for (const { key, exact, apply } of overlays) {
    if (!definition?.cacheAnswer) refetched.push(key);
    for (const query of queryClient.getQueryCache().findAll({ queryKey: key, exact })) {
      const { data, dataUpdatedAt, fetchStatus } = query.state;
      // A response to a request from before the command would undo it on screen.
      if (fetchStatus !== 'idle') {
        void query.cancel({ revert: true, silent: true });
        refetched.push(query.queryKey);
      }
      // The time stays that of the read, so that the data doesn't count as fresh.
      if (data !== undefined) query.setData(apply(data as never, query.queryKey), { updatedAt: dataUpdatedAt, manual: true });
    }
  }
  definition?.cacheAnswer?.(queryClient, output as never, getVariables(command));
  invalidateKeys(queryClient, refetched);
}
