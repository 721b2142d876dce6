import { REQUEST_HEADERS } from './request.ts';
import { onSessionEnd } from './session-end.ts';

interface RequestPerson {
  readonly id: string;
}

let currentPerson: RequestPerson | undefined;
/** The last person whose session ended on this page. Until the page asks who is signed in, requests still carry this person's id. */
let endedPerson: RequestPerson | undefined;

/** Sets the person to send with each request. All tabs share one cookie, so the server rejects requests meant for someone else. */
export function setSignedInPerson(id: string): void {
  currentPerson = { id };
}

export const isSignedInPerson = (id: string) => currentPerson?.id === id;

onSessionEnd(() => {
  endedPerson = currentPerson ?? endedPerson;
  currentPerson = undefined;
});

/** Forgets the person whose session ended. Call before asking who is signed in. Returns true if there was such a person. */
export function clearEndedPerson(): boolean {
  const hasEnded = endedPerson !== undefined;
  endedPerson = undefined;
  return hasEnded;
}

const getRequestPerson = () => currentPerson ?? endedPerson;

/** Returns a function that later tells whether the same person is still signed in. Always true if nobody is signed in now. */
export function createSamePersonCheck(): () => boolean {
  const before = getRequestPerson();
  return () => before === undefined || before === currentPerson;
}

/** Returns a function that later tells whether a different person may have signed in since. */
export function createPersonChangeCheck(): () => boolean {
  const [previousPerson, previousEnded] = [currentPerson, endedPerson];
  return () => {
    if (previousPerson) return previousPerson.id !== getRequestPerson()?.id;
    // A request from the sign-in page may be the next person's sign-in, which must receive its response.
    return previousEnded !== undefined && currentPerson !== undefined && previousEnded.id !== currentPerson.id;
  };
}

export function getRequestHeaders(): Record<string, string> {
  const person = getRequestPerson();
  return person ? { ...REQUEST_HEADERS, 'x-callout-person': person.id } : REQUEST_HEADERS;
}

/** What the server needs to know of a command, however often it is sent. */
export interface CommandKey {
  readonly id: string;
  /** Epoch ms by the device's clock. */
  readonly madeAt: number;
}

/** Requests with the same key are applied once. */
export const KEY_HEADER = 'idempotency-key';

/** Sends how long ago the command was made instead of when, because the device's clock may be wrong. */
export const getCommandHeaders = ({ id, madeAt }: CommandKey): Record<string, string> => ({
  [KEY_HEADER]: id,
  'x-callout-made-ago': String(Math.max(0, Date.now() - madeAt)),
});
