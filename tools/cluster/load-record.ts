/** The kinds of record that the load creates, under ids that the client makes. */
export const WRITE_KINDS = ['customers', 'jobs', 'comments', 'time entries', 'pauses', 'files'] as const;
export type WriteKind = (typeof WRITE_KINDS)[number];

/** Counts what the people who worked during one phase of the run experienced. */
export interface PhaseReport {
  readonly name: string;
  readonly seconds: number;
  readonly requests: number;
  readonly acknowledged: number;
  /** The longest time in which no write of anyone was acknowledged. */
  readonly longestPauseMs: number;
  /** The longest time from a person's click to the answer, with the page's retries. */
  readonly slowestMs: number;
  /** Number of failures that people saw, by description. */
  readonly failures: ReadonlyMap<string, number>;
  /** Number of failures after which the page sent the request again, by description. People saw at most that it took longer. */
  readonly repeats: ReadonlyMap<string, number>;
}

const FLOWING_MS = 1_000;

/** Counts what the load sends and what is acknowledged, by phase. */
export class LoadRecord {
  /** Ids of everything the server has acknowledged. */
  readonly acknowledged: Readonly<Record<WriteKind, Set<string>>> = {
    customers: new Set(),
    jobs: new Set(),
    comments: new Set(),
    'time entries': new Set(),
    pauses: new Set(),
    files: new Set(),
  };
  /** SHA-256 of the bytes of each acknowledged file. */
  readonly fileHashes = new Map<string, string>();
  readonly reports: PhaseReport[] = [];
  #phase = createPhase('start');
  #lastAcknowledgedAt = performance.now();

  countRequest(): void {
    this.#phase.requests += 1;
  }

  countAnswer(startedAt: number): void {
    this.#phase.slowestMs = Math.max(this.#phase.slowestMs, performance.now() - startedAt);
  }

  countFailure(description: string): void {
    increment(this.#phase.failures, description);
  }

  countRepeat(description: string): void {
    increment(this.#phase.repeats, description);
  }

  acknowledge(kind: WriteKind, id: string): void {
    this.acknowledged[kind].add(id);
    this.#phase.acknowledged += 1;
    this.#endPause();
  }

  /** Returns true if writes have been acknowledged in the last second. */
  isFlowing(): boolean {
    return performance.now() - this.#lastAcknowledgedAt < FLOWING_MS;
  }

  startPhase(name: string): void {
    // Nobody has worked before the first phase.
    if (this.reports.length === 0) this.#lastAcknowledgedAt = performance.now();
    this.#phase = createPhase(name);
  }

  endPhase(): PhaseReport {
    this.#phase.longestPauseMs = Math.max(this.#phase.longestPauseMs, performance.now() - this.#lastAcknowledgedAt);
    const { startedAt, ...phase } = this.#phase;
    const report = { ...phase, seconds: (performance.now() - startedAt) / 1000 };
    this.reports.push(report);
    return report;
  }

  #endPause(): void {
    const now = performance.now();
    this.#phase.longestPauseMs = Math.max(this.#phase.longestPauseMs, now - this.#lastAcknowledgedAt);
    this.#lastAcknowledgedAt = now;
  }
}

const createPhase = (name: string) => ({
  name,
  startedAt: performance.now(),
  requests: 0,
  acknowledged: 0,
  longestPauseMs: 0,
  slowestMs: 0,
  failures: new Map<string, number>(),
  repeats: new Map<string, number>(),
});

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

const addUp = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0);

export const countFailures = ({ failures }: PhaseReport) => addUp(failures);

const HEADINGS = ['Phase', 'Seconds', 'Requests', 'Sent again', 'Writes', 'Failures seen', 'Longest pause', 'Slowest answer'];

/** Formats the reports as a table, with the failures of each phase below: those that people saw, and those that the page waited out. */
export function formatReports(reports: readonly PhaseReport[]): string {
  const rows = reports.map((report) => [
    report.name,
    report.seconds.toFixed(0),
    String(report.requests),
    String(addUp(report.repeats)),
    String(report.acknowledged),
    String(countFailures(report)),
    formatSeconds(report.longestPauseMs),
    formatSeconds(report.slowestMs),
  ]);
  const widths = HEADINGS.map((heading, column) => Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const formatRow = (row: readonly string[]) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ');
  const formatCounts = (list: (report: PhaseReport) => ReadonlyMap<string, number>) =>
    reports.flatMap((report) => [...list(report)].map(([description, count]) => `  ${report.name}: ${count} x ${description}`));
  return [
    ...[HEADINGS, ...rows].map(formatRow),
    'Failures seen:',
    ...formatCounts(({ failures }) => failures),
    'Sent again after:',
    ...formatCounts(({ repeats }) => repeats),
  ].join('\n');
}

const formatSeconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
