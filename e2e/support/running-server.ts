export interface RunningServer {
  readonly url: string;
  readonly mailFolder: string;
}

const ENV_VARIABLE = 'CALLOUT_UNDER_TEST';

/** Passes the running server to the test workers in an environment variable, which they inherit from this process. */
export function shareRunningServer(running: RunningServer): void {
  process.env[ENV_VARIABLE] = JSON.stringify(running);
}

export function getRunningServer(): RunningServer {
  const running = process.env[ENV_VARIABLE];
  if (!running) throw new Error('The server is not running. Run the browser tests with playwright.config.ts.');
  return JSON.parse(running) as RunningServer;
}
