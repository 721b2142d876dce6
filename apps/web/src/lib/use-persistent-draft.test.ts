import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { useForm } from 'react-hook-form';
import { afterEach, expect, it } from 'vitest';
import { announceSessionEnd } from './session-end.ts';
import { usePersistentDraft } from './use-persistent-draft.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/');
});

const readStoredDrafts = () =>
  Object.keys(localStorage)
    .filter((key) => key.startsWith('callout-lasting-draft'))
    .map((key): [string, string] => [key, localStorage.getItem(key) ?? '']);

interface FormOptions {
  person?: string;
  restoreBase?: () => void;
  recordId?: string;
  isAbandoned?: boolean;
}

function openForm({ person = 'mia', restoreBase = () => undefined, recordId = 'made-here', isAbandoned = false }: FormOptions = {}) {
  window.history.replaceState(null, '', '/quotes/new');
  const restoredIds: string[] = [];
  const { result, unmount } = renderHook(() => {
    const form = useForm({ defaultValues: { title: '', notes: '' } });
    const options = {
      recordId: () => recordId,
      restoreRecordId: (id: string) => void restoredIds.push(id),
      copyFields: (fields: readonly (readonly [string, unknown])[]) =>
        fields.map(([name, value]) => [name, `copy of ${String(value)}`] as const),
    };
    const context = { person, part: '', base: () => undefined, restoreBase, isAbandoned: () => isAbandoned };
    return { form, draft: usePersistentDraft(form, options, context) };
  });
  return {
    type: (title: string) => act(() => result.current.form.setValue('title', title, { shouldDirty: true })),
    title: () => result.current.form.getValues('title'),
    notes: () => result.current.form.getValues('notes'),
    isRestored: () => result.current.draft.isRestored,
    reset: () => act(() => result.current.form.reset()),
    restoredIds,
    close: unmount,
  };
}

/** Waits longer than the time other tabs have to claim their drafts. */
const waitForRestore = () => act(() => new Promise((resolve) => setTimeout(resolve, 400)));
const waitForStoredDraft = () => waitFor(() => expect(readStoredDrafts()).toHaveLength(1));
/** Simulates a crashed tab, whose cleanup never runs. */
function crashTab(tab: { close: () => void }) {
  const stored = readStoredDrafts();
  tab.close();
  for (const [key, value] of stored) localStorage.setItem(key, value);
}

it('restores unsaved edits and the id of the new record after a crash', async () => {
  const first = openForm();
  first.type('Hot water');
  await waitForStoredDraft();
  crashTab(first);
  const second = openForm({ recordId: 'another' });
  await waitFor(() => expect([second.title(), second.isRestored()]).toEqual(['Hot water', true]));
  expect(second.restoredIds).toEqual(['made-here']);
});

it('keeps the draft in storage throughout the restore', async () => {
  const first = openForm();
  first.type('Hot water');
  await waitForStoredDraft();
  crashTab(first);
  const before = readStoredDrafts();
  const second = openForm();
  await waitFor(() => expect(readStoredDrafts()).not.toEqual(before), { interval: 1 });
  expect(readStoredDrafts().map(([, draft]) => draft)).toEqual([before[0]?.[1]]);
  second.close();
});

it('deletes the draft after a save or discard', async () => {
  const form = openForm();
  form.type('Hot water');
  await waitForStoredDraft();
  form.reset();
  await waitFor(() => expect(readStoredDrafts()).toEqual([]));
});

it('deletes the draft when the user chooses to leave, but keeps it when the page crashes', async () => {
  const abandoned = openForm({ isAbandoned: true });
  abandoned.type('Hot water');
  await waitForStoredDraft();
  abandoned.close();
  expect(readStoredDrafts()).toEqual([]);
  sessionStorage.clear();
  const broken = openForm();
  await waitForRestore();
  broken.type('Hot water');
  broken.close();
  expect(readStoredDrafts()).toHaveLength(1);
});

it("does not take another open tab's draft", async () => {
  const first = openForm();
  first.type('First');
  await waitForStoredDraft();
  sessionStorage.clear();
  const second = openForm();
  await waitForRestore();
  expect(second.title()).toBe('');
  second.type('Second');
  await waitFor(() => expect(readStoredDrafts()).toHaveLength(2));
  expect(first.title()).toBe('First');
});

it('copies the draft into a duplicated tab as a separate record', async () => {
  const first = openForm();
  first.type('First');
  await waitForStoredDraft();
  const copy = openForm();
  await waitFor(() => expect(copy.title()).toBe('copy of First'));
  expect(copy.restoredIds).toEqual([]);
  await waitFor(() => expect(readStoredDrafts()).toHaveLength(2));
});

it('restores the newer of two drafts from closed tabs', async () => {
  for (const title of ['Older', 'Newer']) {
    sessionStorage.clear();
    const tab = openForm();
    await waitForRestore();
    if (title === 'Newer') tab.reset();
    tab.type(title);
    await waitForRestore();
    crashTab(tab);
  }
  sessionStorage.clear();
  const next = openForm();
  await waitFor(() => expect(next.title()).not.toBe(''));
  expect(next.title()).toBe('Newer');
});

it("does not show one person's draft to another", async () => {
  const first = openForm();
  first.type('Hot water');
  await waitForStoredDraft();
  crashTab(first);
  const other = openForm({ person: 'ben' });
  await waitForRestore();
  expect(other.title()).toBe('');
  expect(readStoredDrafts()).toHaveLength(1);
});

/** Stores a draft as if another build had written it. */
const storeOtherBuildDraft = (fields: unknown) =>
  localStorage.setItem(
    'callout-lasting-draft mia /quotes/new  other-build',
    JSON.stringify({ version: 'title rooms', kept_at: Date.now(), fields, base: undefined }),
  );

it("restores matching fields of another build's draft and preserves unknown ones", async () => {
  storeOtherBuildDraft([
    ['rooms', 'Kitchen'],
    ['notes', [{ id: 'a' }]],
    ['title', 'Hot water'],
  ]);
  const form = openForm();
  await waitFor(() => expect([form.title(), form.isRestored()]).toEqual(['Hot water', true]));
  expect(form.notes()).toBe('');
  form.type('Hot water cylinder');
  await waitFor(() => expect(readStoredDrafts().map(([, text]) => text)).toEqual([expect.stringContaining('cylinder')]));
  const { fields } = JSON.parse(readStoredDrafts()[0]?.[1] ?? '') as { fields: unknown };
  expect(fields).toEqual([
    ['title', 'Hot water cylinder'],
    ['rooms', 'Kitchen'],
    ['notes', [{ id: 'a' }]],
  ]);
});

it("ignores another build's draft if no field matches or its tab is open", async () => {
  storeOtherBuildDraft([['rooms', 'Kitchen']]);
  const form = openForm();
  await waitForRestore();
  expect([form.title(), form.isRestored(), readStoredDrafts().length]).toEqual(['', false, 1]);
  form.close();
  storeOtherBuildDraft([['title', 'Hot water']]);
  const tab = new BroadcastChannel('callout-lasting-draft mia /quotes/new ');
  tab.addEventListener('message', ({ data }) => data === 'ask for slots' && tab.postMessage('other-build'));
  const second = openForm();
  await waitForRestore();
  expect([second.title(), readStoredDrafts().length]).toEqual(['', 1]);
  tab.close();
});

it("restores the draft even if its base has another build's shape", async () => {
  localStorage.setItem(
    'callout-lasting-draft mia /quotes/new  other-build',
    JSON.stringify({ kept_at: Date.now(), fields: [['title', 'Hot water']], base: { old: true } }),
  );
  const form = openForm({
    restoreBase: () => {
      throw new TypeError('on purpose');
    },
  });
  await waitFor(() => expect(form.title()).toBe('Hot water'));
});

it('keeps the draft when the session expires, but deletes it on sign-out', async () => {
  const expired = openForm({ isAbandoned: true });
  await waitForRestore();
  expired.type('Hot water');
  act(() => announceSessionEnd('expired'));
  expired.close();
  expect(readStoredDrafts()).toHaveLength(1);
  localStorage.clear();
  const signedOut = openForm();
  await waitForRestore();
  signedOut.type('Hot water');
  await waitForStoredDraft();
  act(() => announceSessionEnd('signed-out'));
  expect(readStoredDrafts()).toEqual([]);
});
