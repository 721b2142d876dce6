import { REQUEST_HEADERS } from './request.ts';
import { onSessionEnd } from './session-end.ts';

let person: string | undefined;

/** Whoever the page is shown to. All tabs have the same cookie: once somebody else has signed in, the server refuses what this page sends. */
export function setRequestPerson(id: string): void {
  person = id;
}

export const isRequestPerson = (id: string) => person === id;

onSessionEnd(() => {
  person = undefined;
});

export const requestHeaders = (): Record<string, string> =>
  person === undefined ? REQUEST_HEADERS : { ...REQUEST_HEADERS, 'x-callout-person': person };
