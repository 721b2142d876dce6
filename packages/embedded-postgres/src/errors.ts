/** The kind of problem, for a caller that knows which of its settings would help. */
export type EmbeddedPostgresProblem = 'data-folder' | 'not-installed' | 'other';

/** The database can't run; the message is one sentence for the person who started it. */
export class EmbeddedPostgresError extends Error {
  override readonly name: string = 'EmbeddedPostgresError';
  readonly problem: EmbeddedPostgresProblem;

  constructor(message: string, problem: EmbeddedPostgresProblem = 'other') {
    super(message);
    this.problem = problem;
  }
}

export interface LockHolder {
  readonly pid: number | undefined;
  readonly url: string | undefined;
}

/** Another process is using this data. Nothing was changed. */
export class AlreadyRunningError extends EmbeddedPostgresError {
  override readonly name = 'AlreadyRunningError';
  readonly pid: number | undefined;
  readonly url: string | undefined;

  constructor(appName: string, dataDir: string, { pid, url }: LockHolder) {
    const who = pid === undefined ? '' : ` (process ${pid})`;
    super(`${appName} is already running on the data in ${dataDir}${who}${url ? `, at ${url}` : ''}.`);
    this.pid = pid;
    this.url = url;
  }
}
