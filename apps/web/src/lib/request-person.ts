import { REQUEST_HEADERS } from './request.ts';
import { onSessionEnd } from './session-end.ts';

interface ShownPerson {
  readonly id: string;
}

let shown: ShownPerson | undefined;
/** Whose session has ended here, until the page asks who is there now: what they left under way is done in nobody else's name. */
let ended: ShownPerson | undefined;

/** Whoever the page is shown to. All tabs have the same cookie: once somebody else has signed in, the server refuses what this page sends. */
export function setRequestPerson(id: string): void {
  shown = { id };
}

export const isRequestPerson = (id: string) => shown?.id === id;

onSessionEnd(() => {
  ended = shown ?? ended;
  shown = undefined;
});

/** To be called before the page asks who is signed in now. Returns whether a session has ended here since it asked last. */
export function forgetEndedPerson(): boolean {
  const hasEnded = ended !== undefined;
  ended = undefined;
  return hasEnded;
}

/** In whose name requests are sent now. */
const requestPerson = () => shown ?? ended;

/** Returns what tells later whether the session of now, if there is one, is still that of the page. */
export function watchPerson(): () => boolean {
  const before = requestPerson();
  return () => before === undefined || before === shown;
}

/** Returns what tells later whether the page may be somebody else's since: they have signed in here, or it is being asked who has. */
export function watchSuccessor(): () => boolean {
  const [wasShown, hadEnded] = [shown, ended];
  return () => {
    if (wasShown) return wasShown.id !== requestPerson()?.id;
    // Sent from the sign-in form: it may be the sign-in of the next person, who must get its answer.
    return hadEnded !== undefined && shown !== undefined && hadEnded.id !== shown.id;
  };
}

export function requestHeaders(): Record<string, string> {
  const person = requestPerson();
  return person ? { ...REQUEST_HEADERS, 'x-callout-person': person.id } : REQUEST_HEADERS;
}
