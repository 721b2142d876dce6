import { findSendable, type QueuedCommand, UPLOAD_CALL } from '../../apps/web/src/lib/commands/stored-command.ts';
import type { Browser } from './browser.ts';
import { type AppliedCommand, type DayCommand, describe, type EndOfDay } from './end-of-day.ts';
import { findWrongEffects } from './stored-effects.ts';
import { findWrongTimes } from './worked-time.ts';

export interface Counts {
  readonly accepted: number;
  readonly refused: number;
  readonly lost: number;
  readonly doubled: number;
  /** The largest difference between a time that the server has recorded and the moment of the press, in seconds. */
  readonly clockError: number;
}

export async function verifyDay(day: EndOfDay): Promise<Counts & { readonly violations: readonly string[] }> {
  const { database, stored, accepted, left } = day;
  const applied = accepted.flatMap((command) => {
    const found = stored.get(command.id);
    return found ? [{ ...command, ...found }] : [];
  });
  const { rows: files } = await database.query<{ id: string }>('select id from files');
  const appliedIds = new Set([...accepted.map(({ id }) => id), ...findUploads(stored, new Set(files.map(({ id }) => id)))]);
  const refusals = new RefusalReports(day.browsers);
  const lost = [...stored.values()]
    .filter(({ command }) => !appliedIds.has(command.id) && !left.some(({ id }) => id === command.id))
    .filter(({ command, browser }) => !day.browsers[browser]?.discarded.has(command.id) && !refusals.take(browser, command));
  const doubled = [
    ...findDuplicates(accepted.map(({ id }) => id)),
    ...left.filter(({ id, person }) => appliedIds.has(id) && !day.dismissed.has(person)).map(({ id }) => id),
  ];
  const { violations: wrongTimes, clockError } = await findWrongTimes(day, applied);
  const refused =
    left.filter(({ refusal }) => refusal).length + refusals.taken + day.browsers.reduce((sum, { discarded }) => sum + discarded.size, 0);
  return {
    accepted: appliedIds.size,
    refused,
    lost: lost.length,
    doubled: doubled.length,
    clockError,
    violations: [
      ...lost.map(({ command, browser }) => `lost: ${describe(command)}, stored in browser ${browser}`),
      ...doubled.map((id) => `applied and still there, or applied twice: ${describe(stored.get(id)?.command)}`),
      ...findUnstored(day),
      ...findStuck(day),
      ...findForeign(applied),
      ...findDisorder(applied),
      ...(await findWrongEffects(database, applied, stored)),
      ...wrongTimes,
    ],
  };
}

/** Uploads have no stored answer: the file itself shows that it has arrived. */
const findUploads = (stored: ReadonlyMap<string, DayCommand>, files: ReadonlySet<string>) =>
  [...stored.values()]
    .filter(({ command }) => command.call === UPLOAD_CALL && files.has((command.input as { id: string }).id))
    .map(({ command }) => command.id);

const findDuplicates = (ids: readonly string[]) => ids.filter((id, index) => ids.indexOf(id) !== index);

/** Refusals that pages have reported in the moment in which they were made. They name no id, so equal commands are counted. */
class RefusalReports {
  taken = 0;
  readonly #counts: Map<string, number>[];

  constructor(browsers: readonly Browser[]) {
    this.#counts = browsers.map(({ presses }) => countBy(presses.filter(({ outcome }) => outcome === 'refused').map(nameChange)));
  }

  take(browser: number, command: QueuedCommand): boolean {
    const counts = this.#counts[browser];
    const name = nameChange({ ...command, variables: command.details ?? command.input });
    const count = counts?.get(name) ?? 0;
    if (count === 0) return false;
    counts?.set(name, count - 1);
    this.taken += 1;
    return true;
  }
}

const nameChange = ({ person, call, variables }: { readonly person: string; readonly call: string; readonly variables: unknown }) =>
  `${person} ${call} ${JSON.stringify(variables)}`;

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Finds changes that a page called saved although they were never stored. */
function findUnstored({ browsers, stored }: EndOfDay): string[] {
  return browsers.flatMap(({ presses, name, number }) => {
    const commands = [...stored.values()].filter(({ browser }) => browser === number).map(({ command }) => command);
    const storedCounts = countBy(commands.map((command) => nameChange({ ...command, variables: command.details ?? command.input })));
    const saved = countBy(presses.filter(({ outcome }) => outcome === 'saved' || outcome === 'answered').map(nameChange));
    const failed = presses.filter(({ outcome }) => outcome === 'failed').map(({ call, reason }) => `${name}: ${call} failed: ${reason}`);
    const unstored = [...saved].filter(([change, count]) => count > (storedCounts.get(change) ?? 0));
    return [...unstored.map(([change]) => `${name}: called saved, but never stored: ${change}`), ...failed];
  });
}

/** Finds commands that nothing keeps from being sent. */
function findStuck({ left, browsers, people, dismissed, stored }: EndOfDay): string[] {
  return browsers.flatMap(({ name, number }) =>
    people
      .filter(({ person }) => !dismissed.has(person))
      .flatMap(({ person }) =>
        findSendable(left.filter((command) => command.person === person && stored.get(command.id)?.browser === number)),
      )
      .map((command) => `${name}: never sent: ${describe(command)}`),
  );
}

/** Finds commands that were sent in someone else's name. */
const findForeign = (applied: readonly AppliedCommand[]) =>
  applied.filter(({ userId, command }) => userId !== command.person).map(({ command }) => `sent by someone else: ${describe(command)}`);

/** Finds commands that were applied before others that were made earlier in the same lane, or in a lane that they wait for. */
function findDisorder(applied: readonly AppliedCommand[]): string[] {
  const violations: string[] = [];
  const byBrowser = new Map<string, AppliedCommand[]>();
  for (const command of applied) {
    const key = `${command.browser} ${command.command.person}`;
    byBrowser.set(key, [...(byBrowser.get(key) ?? []), command]);
  }
  for (const commands of byBrowser.values()) {
    const latest = new Map<string, QueuedCommand>();
    for (const { command } of commands) {
      const overtaken = latest.get(command.lane);
      if (overtaken && overtaken.sequence > command.sequence)
        violations.push(`out of order: ${describe(overtaken)} was applied before ${describe(command)}`);
      if (!overtaken || overtaken.sequence < command.sequence) latest.set(command.lane, command);
    }
    const positions = new Map(commands.map(({ command, position }) => [command.id, position]));
    for (const { command, position } of commands) {
      const late = commands.find(
        (other) =>
          command.after.includes(other.command.lane) &&
          other.command.sequence < command.sequence &&
          (positions.get(other.command.id) ?? 0) > position,
      );
      if (late) violations.push(`out of order: ${describe(command)} was applied before ${describe(late.command)}`);
    }
  }
  return violations;
}
