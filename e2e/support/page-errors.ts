import type { Page } from '@playwright/test';

/** Logged by the browser for every status of 400 or more, so ignore it. The response handler decides which statuses are errors. */
const FAILED_REQUEST_MESSAGE = /^Failed to load resource/;

/** Collects errors that the user can't see: console errors, responses with a status of 500 or more, and requests to other hosts. */
export function collectPageErrors(page: Page, appOrigin: string, expected: readonly RegExp[]): string[] {
  const errors: string[] = [];
  const report = (line: string) => {
    if (!expected.some((pattern) => pattern.test(line))) errors.push(line);
  };
  page.on('pageerror', (error) => report(`page error: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !FAILED_REQUEST_MESSAGE.test(message.text())) report(`console error: ${message.text()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 500) report(`response ${response.status()} to ${response.url()}`);
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== appOrigin) report(`request to another host: ${request.url()}`);
  });
  return errors;
}
