import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { useForm } from 'react-hook-form';
import { afterEach, expect, it } from 'vitest';
import { announceSessionEnd } from './session-end.ts';
import { useLastingDraft } from './use-lasting-draft.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/');
});

const drafts = () =>
  Object.keys(localStorage)
    .filter((key) => key.startsWith('callout-lasting-draft'))
    .map((key): [string, string] => [key, localStorage.getItem(key) ?? '']);

interface Opened {
  person?: string;
  restoreBase?: () => void;
  recordId?: string;
  leaves?: boolean;
}

function openForm({ person = 'mia', restoreBase = () => undefined, recordId = 'made-here', leaves = false }: Opened = {}) {
  window.history.replaceState(null, '', '/quotes/new');
  const restored: string[] = [];
  const { result, unmount } = renderHook(() => {
    const form = useForm({ defaultValues: { title: '', notes: '' } });
    const options = {
      recordId: () => recordId,
      restoreRecordId: (id: string) => void restored.push(id),
      copyFields: (fields: readonly (readonly [string, unknown])[]) =>
        fields.map(([name, value]) => [name, `copy of ${String(value)}`] as const),
    };
    const context = { person, part: '', base: () => undefined, restoreBase, isLeftBehind: () => leaves };
    return { form, draft: useLastingDraft(form, options, context) };
  });
  return {
    type: (title: string) => act(() => result.current.form.setValue('title', title, { shouldDirty: true })),
    title: () => result.current.form.getValues('title'),
    notes: () => result.current.form.getValues('notes'),
    isRestored: () => result.current.draft.isRestored,
    reset: () => act(() => result.current.form.reset()),
    restored,
    close: unmount,
  };
}

/** Other tabs have their time to answer. */
const settled = () => act(() => new Promise((resolve) => setTimeout(resolve, 400)));
const written = () => waitFor(() => expect(drafts()).toHaveLength(1));
/** Nothing is told: the page is simply gone. */
function kill(tab: { close: () => void }) {
  const kept = drafts();
  tab.close();
  for (const [key, value] of kept) localStorage.setItem(key, value);
}

it('brings back what was typed and the id of the new record after the tab is gone', async () => {
  const first = openForm();
  first.type('Hot water');
  await written();
  kill(first);
  const second = openForm({ recordId: 'another' });
  await waitFor(() => expect([second.title(), second.isRestored()]).toEqual(['Hot water', true]));
  expect(second.restored).toEqual(['made-here']);
});

it('is kept at every moment of bringing it back', async () => {
  const first = openForm();
  first.type('Hot water');
  await written();
  kill(first);
  const before = drafts();
  const second = openForm();
  await waitFor(() => expect(drafts()).not.toEqual(before), { interval: 1 });
  expect(drafts().map(([, draft]) => draft)).toEqual([before[0]?.[1]]);
  second.close();
});

it('keeps nothing that was saved or discarded', async () => {
  const form = openForm();
  form.type('Hot water');
  await written();
  form.reset();
  await waitFor(() => expect(drafts()).toEqual([]));
});

it('keeps nothing when the person chose to leave, and everything when the page broke', async () => {
  const left = openForm({ leaves: true });
  left.type('Hot water');
  await written();
  left.close();
  expect(drafts()).toEqual([]);
  sessionStorage.clear();
  const broken = openForm();
  await settled();
  broken.type('Hot water');
  broken.close();
  expect(drafts()).toHaveLength(1);
});

it('leaves the draft of a tab that is open alone', async () => {
  const first = openForm();
  first.type('First');
  await written();
  sessionStorage.clear();
  const second = openForm();
  await settled();
  expect(second.title()).toBe('');
  second.type('Second');
  await waitFor(() => expect(drafts()).toHaveLength(2));
  expect(first.title()).toBe('First');
});

it('gives a duplicated tab a copy, as another record', async () => {
  const first = openForm();
  first.type('First');
  await written();
  const copy = openForm();
  await waitFor(() => expect(copy.title()).toBe('copy of First'));
  expect(copy.restored).toEqual([]);
  await waitFor(() => expect(drafts()).toHaveLength(2));
});

it('of two lost drafts brings back the newer one, and the other one the next time', async () => {
  for (const title of ['Older', 'Newer']) {
    sessionStorage.clear();
    const tab = openForm();
    await settled();
    if (title === 'Newer') tab.reset();
    tab.type(title);
    await settled();
    kill(tab);
  }
  sessionStorage.clear();
  const next = openForm();
  await waitFor(() => expect(next.title()).not.toBe(''));
  expect(next.title()).toBe('Newer');
});

it('shows nobody what somebody else typed', async () => {
  const first = openForm();
  first.type('Hot water');
  await written();
  kill(first);
  const other = openForm({ person: 'ben' });
  await settled();
  expect(other.title()).toBe('');
  expect(drafts()).toHaveLength(1);
});

/** What another build has left: written by its form, or by a tab that has it open. */
const keepOther = (fields: unknown) =>
  localStorage.setItem(
    'callout-lasting-draft mia /quotes/new  other-build',
    JSON.stringify({ version: 'title rooms', kept_at: Date.now(), fields, base: undefined }),
  );

it('fills in what another build kept as far as this form has its fields, and keeps the rest with it', async () => {
  keepOther([
    ['rooms', 'Kitchen'],
    ['notes', [{ id: 'a' }]],
    ['title', 'Hot water'],
  ]);
  const form = openForm();
  await waitFor(() => expect([form.title(), form.isRestored()]).toEqual(['Hot water', true]));
  expect(form.notes()).toBe('');
  form.type('Hot water cylinder');
  await waitFor(() => expect(drafts().map(([, text]) => text)).toEqual([expect.stringContaining('cylinder')]));
  const { fields } = JSON.parse(drafts()[0]?.[1] ?? '') as { fields: unknown };
  expect(fields).toEqual([
    ['title', 'Hot water cylinder'],
    ['rooms', 'Kitchen'],
    ['notes', [{ id: 'a' }]],
  ]);
});

it('leaves a draft of another build alone when the form has none of its fields, or its tab is open', async () => {
  keepOther([['rooms', 'Kitchen']]);
  const form = openForm();
  await settled();
  expect([form.title(), form.isRestored(), drafts().length]).toEqual(['', false, 1]);
  form.close();
  keepOther([['title', 'Hot water']]);
  const tab = new BroadcastChannel('callout-lasting-draft mia /quotes/new ');
  tab.addEventListener('message', ({ data }) => data === 'ask for slots' && tab.postMessage('other-build'));
  const second = openForm();
  await settled();
  expect([second.title(), drafts().length]).toEqual(['', 1]);
  tab.close();
});

it('opens also when the record was kept as another build knew it', async () => {
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

it('keeps it when the session expires, and nothing after signing out by hand', async () => {
  const expired = openForm({ leaves: true });
  await settled();
  expired.type('Hot water');
  act(() => announceSessionEnd('expired'));
  expired.close();
  expect(drafts()).toHaveLength(1);
  localStorage.clear();
  const left = openForm();
  await settled();
  left.type('Hot water');
  await written();
  act(() => announceSessionEnd('signed-out'));
  expect(drafts()).toEqual([]);
});
