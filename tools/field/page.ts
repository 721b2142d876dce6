import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import type { CommandStorage } from '../../apps/web/src/lib/commands/command-storage.ts';
import type { CallName, CommandDefinition } from '../../apps/web/src/lib/commands/define-command.ts';
import type { QueuedCommand } from '../../apps/web/src/lib/commands/stored-command.ts';
import type { Person, TabMessage, TabRequest } from './tab.ts';

interface PageOptions {
  readonly openStorage: () => Promise<CommandStorage>;
  readonly post: (message: TabMessage) => void;
  readonly removedCalls: readonly string[];
}

/** Loads the page's code that stores, sends and shows commands, and uses it as the page's components do. */
export async function startPage({ openStorage, post, removedCalls }: PageOptions) {
  const { contractRoutes } = await import('../../apps/web/src/lib/contract-routes.ts');
  for (const path of removedCalls) {
    const [feature = '', name = ''] = path.split('.');
    delete (contractRoutes as Record<string, Record<string, unknown>>)[feature]?.[name];
  }
  const outbox = await import('../../apps/web/src/lib/commands/outbox.ts');
  const { applyOverlays, cacheAcceptedCommand } = await import('../../apps/web/src/lib/commands/overlays.ts');
  const { isUpload } = await import('../../apps/web/src/lib/commands/command-queue.ts');
  const { findDefinition } = await import('../../apps/web/src/lib/commands/define-command.ts');
  const { setSignedInPerson } = await import('../../apps/web/src/lib/request-identity.ts');
  const { onSessionEnd } = await import('../../apps/web/src/lib/session-end.ts');
  const { CallError, getErrorMessage } = await import('../../apps/web/src/lib/error-messages.ts');
  const { jobQueryOptions } = await import('../../apps/web/src/features/jobs/jobs.api.ts');
  const { api } = await import('../../apps/web/src/lib/api.ts');
  await import('../../apps/web/src/app/unsent/command-definitions.ts');

  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: 3, retryDelay: 200 } } });
  const cacheAccepted = (command: QueuedCommand, output: unknown) => cacheAcceptedCommand(queryClient, command, output);
  const watched = new Set<string>();
  let close = () => {};
  onSessionEnd(() => {
    close();
    post({ kind: 'signed-out' });
  });
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success' && !event.action.manual) outbox.resumeSending();
  });

  return {
    open({ person, company }: Person): void {
      close();
      setSignedInPerson(person);
      close = outbox.openOutbox({ person, company }, cacheAccepted, openStorage);
    },

    async make({ press, call, variables, files }: Extract<TabRequest, { kind: 'make' }>): Promise<void> {
      const definition = findDefinition(call) as CommandDefinition<CallName, object> | undefined;
      if (!definition) throw new Error(`No command calls ${call}`);
      try {
        for (const [id, bytes] of files ?? []) await outbox.storeFile(id, bytes);
        const output = await outbox.runCommand(definition, variables, cacheAccepted);
        post({ kind: 'outcome', press, outcome: output === outbox.UNSENT ? 'saved' : 'answered' });
      } catch (error) {
        const isRefused = error instanceof CallError || error instanceof outbox.TakenBackError;
        post({
          kind: 'outcome',
          press,
          outcome: isRefused ? 'refused' : 'failed',
          reason: error instanceof CallError ? getErrorMessage(error) : String(error),
        });
      }
    },

    async tidy(discards: boolean): Promise<void> {
      for (const { id, refusal, after } of outbox.listCommands()) {
        if (!refusal) continue;
        // A command takes its uploads with it.
        const uploads = outbox.listCommands().filter((other) => isUpload(other) && after.includes(other.lane));
        for (const discarded of discards ? [id, ...uploads.map((upload) => upload.id)] : []) post({ kind: 'discarding', id: discarded });
        await (discards ? outbox.discardCommand(id) : outbox.retryCommand(id));
      }
    },

    watch(jobId: string): void {
      if (watched.has(jobId)) return;
      watched.add(jobId);
      new QueryObserver(queryClient, jobQueryOptions(jobId)).subscribe(() => undefined);
    },

    /** Call it when nothing is on its way. */
    async compare(ownJobs: ReadonlySet<string>): Promise<void> {
      const differences: string[] = [];
      const compareJob = async (jobId: string, ignored: readonly string[]) => {
        const { queryKey } = jobQueryOptions(jobId);
        const cached = queryClient.getQueryData<object>(queryKey);
        if (cached === undefined) return;
        // What waits for something refused is still shown.
        const show = (job: object) => pickComparable(applyOverlays(outbox.listCommands(), queryKey, job), ignored);
        const [shown, stored] = [show(cached), show(await api.jobs.get({ id: jobId }))];
        if (!isDeepStrictEqual(shown, stored))
          differences.push(
            `job ${jobId}${ignored.length > 0 ? ', which only this browser has changed' : ''}: ${describeDifference(shown, stored)}`,
          );
      };
      await untilIdle(queryClient);
      // What the answers have left in the cache. Another device of the same person can have changed the timer.
      for (const jobId of watched) if (ownJobs.has(jobId)) await compareJob(jobId, ['timer', 'version', 'updated_at']);
      // The page does the same when its live connection is back.
      await queryClient.invalidateQueries();
      for (const jobId of watched) await compareJob(jobId, []);
      post({ kind: 'compared', differences });
    },
  };
}

async function untilIdle(queryClient: QueryClient): Promise<void> {
  while (queryClient.isFetching() > 0) await pause(20);
}

/** Leaves out the time at which the job was read. */
function pickComparable(job: object, ignored: readonly string[]): Record<string, unknown> {
  const entries = Object.entries(job).filter(([field]) => !ignored.includes(field));
  return Object.fromEntries(
    entries.map(([field, value]) => [field, field === 'timer' ? { ...(value as object), server_time: undefined } : (value as unknown)]),
  );
}

function describeDifference(shown: Record<string, unknown>, stored: Record<string, unknown>): string {
  const fields = Object.keys({ ...shown, ...stored }).filter((field) => !isDeepStrictEqual(shown[field], stored[field]));
  return fields
    .map((field) => `${field} is shown as ${JSON.stringify(shown[field])}, stored as ${JSON.stringify(stored[field])}`)
    .join('; ');
}
