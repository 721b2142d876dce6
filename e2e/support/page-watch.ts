import type { Page } from '@playwright/test';

/** The browser's own line for an answer of 400 and more; such answers are judged by their status below. */
const BROWSER_LINE = /^Failed to load resource/;

/** Collects what a person would not see but should never happen: errors on the console, faults of the server, calls to strangers. */
export function watchPage(page: Page, home: string, expected: readonly RegExp[]): string[] {
  const seen: string[] = [];
  const note = (line: string) => {
    if (!expected.some((pattern) => pattern.test(line))) seen.push(line);
  };
  page.on('pageerror', (error) => note(`page error: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !BROWSER_LINE.test(message.text())) note(`console error: ${message.text()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 500) note(`answer ${response.status()} to ${response.url()}`);
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== home) note(`request to another host: ${request.url()}`);
  });
  return seen;
}
