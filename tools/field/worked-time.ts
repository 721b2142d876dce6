import type { AppliedCommand, EndOfDay } from './end-of-day.ts';

interface TimeEntry {
  readonly id: string;
  readonly job_id: string;
  readonly staff_id: string | null;
  readonly started_at: Date;
  readonly ended_at: Date | null;
}

/** Of two changes within a minute, one may have taken longer to the server: see decision 22. */
const TOLERANCE_MS = 60_000 + 5_000;
const FINISHED_STATUSES = new Set(['complete', 'canceled']);

/** Compares each time entry with the presses that started and ended it, by the simulated clock. */
export async function findWrongTimes(
  { database, people, dismissed, endedAt }: EndOfDay,
  applied: readonly AppliedCommand[],
): Promise<{ violations: string[]; clockError: number }> {
  const { rows } = await database.query<TimeEntry>(
    'select id, job_id, staff_id, started_at, ended_at from time_entries order by started_at, ended_at',
  );
  const entries = new Map(rows.map((entry) => [entry.id, entry]));
  const violations: string[] = [];
  const errors: number[] = [0];
  const toTime = (ms: number | undefined) => (ms === undefined ? 'running' : new Date(ms).toISOString().slice(11, 19));

  for (const { person, staffId, name } of people.filter((member) => !dismissed.has(member.person))) {
    const mine = rows.filter(({ staff_id }) => staff_id === staffId);
    for (const [index, { started_at, id }] of mine.entries()) {
      const before = mine[index - 1];
      if (before && (before.ended_at === null || before.ended_at > started_at))
        violations.push(`${name}: time entries ${before.id} and ${id} overlap`);
    }
    const starts = applied.filter(({ command }) => command.person === person && command.call === 'timer.start');
    for (const start of starts) {
      const { id, job_id } = start.command.input as { id: string; job_id: string };
      const entry = entries.get(id);
      // A start on the job that is being timed already goes on with its entry.
      if (!entry) continue;
      const expectedEnd = findEnd(start, job_id, applied, entries);
      const startError = Math.abs(entry.started_at.getTime() - start.storedAt);
      const endError = Math.abs((entry.ended_at?.getTime() ?? endedAt) - (expectedEnd ?? endedAt));
      errors.push(startError, endError);
      if (Math.max(startError, endError) > TOLERANCE_MS)
        violations.push(
          `${name}: entry ${id} on job ${job_id} is ${toTime(entry.started_at.getTime())}–${toTime(entry.ended_at?.getTime())} instead of ${toTime(start.storedAt)}–${toTime(expectedEnd)}\n${describeTimeline(applied, person, start.storedAt, toTime)}`,
        );
    }
  }
  return { violations, clockError: Math.max(...errors) / 1000 };
}

/** Lists what the person did with the timer around a moment: when it was pressed, and when it arrived. */
const describeTimeline = (applied: readonly AppliedCommand[], person: string, around: number, toTime: (ms: number) => string) =>
  applied
    .filter(({ command }) => command.person === person && /^timer|setStatus/.test(command.call))
    .filter(({ storedAt }) => Math.abs(storedAt - around) < 60 * 60_000)
    .map(({ command, browser, storedAt, arrivedAt }) => {
      const { id, job_id, status } = command.input as { id?: string; job_id?: string; status?: string };
      const job = (job_id ?? id)?.slice(0, 4);
      return `    ${toTime(storedAt)} → ${toTime(arrivedAt)} ${command.call} ${status ?? ''} ${job} ${job_id ? (id?.slice(0, 4) ?? '') : ''} (browser ${browser})`;
    })
    .join('\n');

/** Returns when the entry must have ended: at the person's next start or pause, or when its job was finished. */
function findEnd(
  start: AppliedCommand,
  jobId: string,
  applied: readonly AppliedCommand[],
  entries: ReadonlyMap<string, TimeEntry>,
): number | undefined {
  const ends = applied.flatMap(({ command, position, storedAt, arrivedAt }) => {
    const { id, job_id, status } = command.input as { id: string; job_id: string; status: string };
    const isMine = command.person === start.command.person;
    if (isMine && command.call === 'timer.start' && entries.has(id)) return [storedAt];
    if (isMine && command.call === 'timer.pause' && job_id === jobId) return [storedAt];
    // A job that was reopened before the start arrived no longer ends it.
    if (command.call === 'jobs.setStatus' && position > start.position && id === jobId && FINISHED_STATUSES.has(status))
      return [isMine ? storedAt : arrivedAt];
    return [];
  });
  return ends.filter((end) => end > start.storedAt).toSorted((one, other) => one - other)[0];
}
