import { REQUEST_HEADERS } from './request.ts';
import { onSessionEnd } from './session-end.ts';

interface RequestPerson {
  readonly id: string;
}

let currentPerson: RequestPerson | undefined;
/** The person whose session ended on this page. Their pending requests are still sent with their id, not with the next person's. */
let endedPerson: RequestPerson | undefined;

/** Sets the person whose data the page shows. Tabs share a cookie, so the server rejects requests for anyone but the signed-in person. */
export function setRequestPerson(id: string): void {
  currentPerson = { id };
}

export const isRequestPerson = (id: string) => currentPerson?.id === id;

onSessionEnd(() => {
  endedPerson = currentPerson ?? endedPerson;
  currentPerson = undefined;
});

/** Call before fetching who is signed in. Returns true if a session has ended on this page since the last call. */
export function clearEndedPerson(): boolean {
  const hasEnded = endedPerson !== undefined;
  endedPerson = undefined;
  return hasEnded;
}

const getRequestPerson = () => currentPerson ?? endedPerson;

/** Returns a function that checks later whether the page still belongs to the same person. Without a person, the check always passes. */
export function createSamePersonCheck(): () => boolean {
  const before = getRequestPerson();
  return () => before === undefined || before === currentPerson;
}

/** Returns a function that checks later whether a different person may have signed in on the page. */
export function createPersonChangeCheck(): () => boolean {
  const [previousPerson, previousEnded] = [currentPerson, endedPerson];
  return () => {
    if (previousPerson) return previousPerson.id !== getRequestPerson()?.id;
    // The request came from the sign-in page and may be the next person's sign-in, which must get its response.
    return previousEnded !== undefined && currentPerson !== undefined && previousEnded.id !== currentPerson.id;
  };
}

export function getRequestHeaders(): Record<string, string> {
  const person = getRequestPerson();
  return person ? { ...REQUEST_HEADERS, 'x-callout-person': person.id } : REQUEST_HEADERS;
}
