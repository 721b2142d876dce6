export interface RunningProduct {
  readonly url: string;
  readonly mailFolder: string;
}

const VARIABLE = 'CALLOUT_UNDER_TEST';

/** The workers of a test run get this from the process that started the product. */
export function announce(running: RunningProduct): void {
  process.env[VARIABLE] = JSON.stringify(running);
}

export function product(): RunningProduct {
  const running = process.env[VARIABLE];
  if (!running) throw new Error('The product was not started: run the browser tests with playwright.config.ts');
  return JSON.parse(running) as RunningProduct;
}
