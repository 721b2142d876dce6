/** The kind of problem, so that a caller can suggest which setting would fix it. */
export type EmbeddedPostgresProblem = 'data-folder' | 'not-installed' | 'other';

/** Thrown if the database can't run. The message is for the person who started it. */
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

/** Thrown, before anything is changed, if another process is using the data. */
export class AlreadyRunningError extends EmbeddedPostgresError {
  override readonly name = 'AlreadyRunningError';
  readonly pid: number | undefined;
  readonly url: string | undefined;

  constructor(appName: string, dataDir: string, { pid, url }: LockHolder) {
    const processLabel = pid === undefined ? '' : ` (process ${pid})`;
    super(`${appName} is already running on the data in ${dataDir}${processLabel}${url ? `, at ${url}` : ''}.`);
    this.pid = pid;
    this.url = url;
  }
}
