/** Builds the sessionStorage key of a draft that lasts until the tab closes. */
export const buildSessionDraftKey = (person: string, path: string, part = '') => `callout-draft ${person} ${path} ${part}`;

/** Builds the localStorage key prefix of a draft that survives closing the tab. Renaming the prefix would lose stored drafts. */
export const buildPersistentDraftKey = (person: string, path: string, part: string) => `callout-lasting-draft ${person} ${path} ${part}`;

/** Returns true if the key belongs to a session or persistent draft of this person. */
export const isDraftKeyFor = (person: string, key: string) => key.includes(`draft ${person} `);

export const listPersistentDraftKeys = () => Object.keys(localStorage).filter((key) => key.startsWith('callout-lasting-draft'));

const signedOutPeople = new Set<string>();

/** Deletes a person's drafts after sign-out, because drafts may contain customer data and the browser may be shared. */
export function clearDrafts(person: string): void {
  signedOutPeople.add(person);
  for (const storage of [localStorage, sessionStorage]) {
    for (const key of Object.keys(storage)) if (isDraftKeyFor(person, key)) storage.removeItem(key);
  }
}

/** Returns false after sign-out, so that an open form doesn't save its draft again. */
export const canSaveDrafts = (person: string) => !signedOutPeople.has(person);

/** Lifts the block that `clearDrafts` sets. Call when the person has signed in again. */
export const allowSavingDrafts = (person: string) => void signedOutPeople.delete(person);
