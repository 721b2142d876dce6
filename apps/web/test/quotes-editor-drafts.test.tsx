import type { Quote } from '@callout/contract/quotes';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { watchSession } from '../src/app/session.ts';
import { draftKey } from '../src/lib/draft-storage.ts';
import { announceSessionEnd } from '../src/lib/session-end.ts';
import { press, refuse, typeInto, valueOf, waitForToasts } from './open-page.tsx';
import { EDIT, NEW, openEditor, section } from './open-quote-editor.ts';
import { OWNER, QUOTE, QUOTE_ITEM, QUOTE_SECTION } from './people.ts';
import { playUploads } from './upload-request.ts';

const RESTORED = 'Your unsaved changes were restored.';
const drafts = () => Object.keys(localStorage).filter((key) => key.startsWith('callout-lasting-draft'));
const waitForDraft = () => waitFor(() => expect(drafts()).toHaveLength(1));

/** As a killed tab: nothing is told, and with `session` not even the tab's own storage is left. */
function killTab({ session = false } = {}) {
  const kept = drafts().map((key) => [key, localStorage.getItem(key) ?? ''] as const);
  cleanup();
  for (const [key, value] of kept) localStorage.setItem(key, value);
  if (session) sessionStorage.clear();
}

async function open(path: string, more = {}) {
  const page = openEditor(path, more);
  await screen.findByLabelText('Title');
  return page;
}

async function addPipe() {
  const search = screen.getByRole('combobox', { name: /^Add an item/ });
  fireEvent.change(search, { target: { value: 'pipe' } });
  await act(async () => fireEvent.keyDown(search, { key: 'Enter' }));
  await screen.findByText('Copper pipe 15 mm');
}

describe('unsaved changes', () => {
  it.each([false, true])('are there again after a reload or a killed tab, under the same id (killed: %s)', async (isKilled) => {
    const first = await open(NEW, { 'POST /quotes': (input: unknown) => lost(first.server.created, input) });
    typeInto('Title', 'Hot water');
    await addPipe();
    await press('Create Quote');
    await waitFor(() => expect(first.server.created).toHaveLength(1));
    await waitFor(() => expect(localStorage.getItem(drafts()[0] ?? '')).toContain('Copper pipe'));
    killTab({ session: isKilled });

    const { server } = await open(NEW);
    await screen.findByText(RESTORED);
    expect(valueOf('Title')).toBe('Hot water');
    expect(section('Items & Services').getByText('Copper pipe 15 mm')).toBeDefined();
    await press('Create Quote');
    await waitForToasts('Quote created successfully');
    expect(server.created[0]?.id).toBe(first.server.created[0]?.id);
    await waitFor(() => expect(drafts()).toEqual([]));
  });

  it('are discarded on request', async () => {
    await open(NEW);
    typeInto('Title', 'Hot water');
    await waitForDraft();
    killTab();
    await open(NEW);
    await screen.findByText(RESTORED);
    await press('Discard');
    expect([valueOf('Title'), screen.queryByText(RESTORED)]).toEqual(['', null]);
    await waitFor(() => expect(drafts()).toEqual([]));
  });

  it('with a file that the server has removed name it, and one click removes it', async () => {
    const uploads = playUploads();
    await open(NEW);
    typeInto('Title', 'Hot water');
    await act(async () => fireEvent.click(screen.getByRole('tab', { name: 'Attachments' })));
    await screen.findByRole('button', { name: 'Add files' });
    const files = [new File(['bytes'], 'plan.pdf', { type: 'application/pdf' })];
    await act(async () => fireEvent.change(document.querySelector('input[type=file]') ?? document.body, { target: { files } }));
    await waitFor(() => expect(uploads).toHaveLength(1));
    await act(async () => uploads[0]?.answer());
    await waitFor(() => expect(localStorage.getItem(drafts()[0] ?? '')).toContain('plan.pdf'));
    killTab();

    const { server } = openEditor(NEW);
    const others = fetch;
    // Another person's session has no such file, either: so the server is told whose it is.
    const answer = ({ headers }: Request) => new Response(null, { status: headers.get('x-callout-person') === OWNER.user.id ? 404 : 401 });
    vi.stubGlobal('fetch', (request: Request) =>
      request.url.includes('/api/files/') ? Promise.resolve(answer(request)) : others(request),
    );
    await screen.findByText('plan.pdf is no longer on the server. Remove it to save the quote, or add it again.');
    await press('Remove plan.pdf');
    expect(screen.queryByText(/is no longer on the server/)).toBeNull();
    await press('Create Quote');
    await waitFor(() => expect(server.created).toMatchObject([{ title: 'Hot water', attachment_ids: [] }]));
  });

  it('of one customer do not turn up in the quote of another', async () => {
    await open(NEW);
    typeInto('Title', 'Hot water');
    await waitForDraft();
    killTab();
    await open('/quotes/new');
    expect(valueOf('Title')).toBe('');
    expect(drafts()).toHaveLength(1);
  });

  it('are gone when the page is left on purpose', async () => {
    const { router, path } = await open(NEW);
    typeInto('Title', 'Hot water');
    await waitForDraft();
    router.history.push('/quotes');
    await press('Leave');
    await waitFor(() => expect(path()).toBe('/quotes'));
    expect(drafts()).toEqual([]);
  });

  it('typed while a new quote is being saved go on in that quote, not in the next new one', async () => {
    let answer: () => void = () => undefined;
    const { path, router } = await open(NEW, {
      'POST /quotes': async (input: unknown) => {
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        return { ...QUOTE, id: (input as Quote).id, title: 'Hot water' };
      },
      'GET /quotes/{id}': () => ({ ...QUOTE, title: 'Hot water' }),
    });
    typeInto('Title', 'Hot water');
    await press('Create Quote');
    await screen.findByRole('button', { name: 'Creating...' });
    typeInto('Title', 'Hot water and rails');
    await act(async () => answer());
    await waitFor(() => expect(path()).toMatch(/edit$/));
    await waitFor(() => expect(valueOf('Title')).toBe('Hot water and rails'));
    expect(drafts().filter((key) => key.includes('/quotes/new'))).toEqual([]);
    expect(router.state.location.pathname).toContain('/edit');
  });

  it('of a quote that was saved although its answer was lost go on as an edit of it', async () => {
    const { path, server } = await open(NEW, { 'POST /quotes': () => refuse('ID_TAKEN', 'Taken') });
    typeInto('Title', 'Hot water');
    await press('Create Quote');
    await waitFor(() => expect(path()).toMatch(/^\/quotes\/[\da-f-]{36}\/edit$/));
    await waitFor(() => expect(valueOf('Title')).toBe('Hot water'));
    expect(server.created).toEqual([]);
  });
});

describe('a browser', () => {
  it('that has no room for a draft asks before the tab is closed', async () => {
    await open(NEW);
    const closeTab = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    typeInto('Title', 'Hot water');
    await waitForDraft();
    expect(closeTab()).toBe(false);
    const setItem = () => {
      throw new DOMException('Full', 'QuotaExceededError');
    };
    const room = localStorage;
    vi.stubGlobal('localStorage', { setItem, removeItem: (key: string) => room.removeItem(key), clear: () => room.clear() });
    typeInto('Title', 'Hot water and rails');
    await waitFor(() => expect(closeTab()).toBe(true));
  });

  it('keeps no draft of who signed out, whichever tab it was typed in, and the drafts of others', async () => {
    const { router, queryClient, path } = await open(NEW, { 'GET /me': () => OWNER });
    watchSession(router, queryClient);
    const [theirs, ofOtherTab] = ['someone', OWNER.user.id].map((person) => `callout-lasting-draft ${person} /quotes/1/edit  slot`);
    for (const key of [theirs, ofOtherTab])
      localStorage.setItem(key ?? '', JSON.stringify({ version: 1, kept_at: Date.now(), fields: [] }));
    typeInto('Title', 'Hot water');
    await act(async () => announceSessionEnd('signed-out'));
    await waitFor(() => expect(path()).toBe('/auth'));
    expect(drafts()).toEqual([theirs]);
  });

  it('keeps no draft of who signed out in another tab, also when it was being typed', async () => {
    const { router, queryClient, path } = await open(NEW, { 'GET /me': () => OWNER });
    watchSession(router, queryClient);
    const otherTab = new BroadcastChannel('callout-session');
    typeInto('Title', 'Hot water');
    await waitForDraft();
    typeInto('Title', 'Hot water and rails');
    for (const key of drafts()) localStorage.removeItem(key);
    otherTab.postMessage({ end: 'signed-out', person: OWNER.user.id });
    await waitFor(() => expect(path()).toBe('/auth'));
    otherTab.close();
    expect(drafts()).toEqual([]);
  });
});

it('signing out asks before it takes unsaved changes along', async () => {
  const signOuts: string[] = [];
  const { router, queryClient, path } = await open(NEW, {
    'POST /auth/sign-out': () => {
      signOuts.push('sign-out');
      return {};
    },
  });
  watchSession(router, queryClient);
  // Left by a page that is no longer open.
  sessionStorage.setItem(draftKey(OWNER.user.id, '/jobs/a', 'comment'), '{}');
  sessionStorage.setItem(draftKey('somebody-else', '/jobs/a', 'comment'), '{}');
  typeInto('Title', 'Hot water');
  await waitForDraft();
  await press('Sign Out');
  const dialog = await screen.findByRole('alertdialog', { name: 'Sign out without saving?' });
  expect(dialog.textContent).toContain("Your changes haven't been saved. Signing out discards them.");
  await press('Keep editing');
  expect([signOuts, drafts().length, valueOf('Title')]).toEqual([[], 1, 'Hot water']);
  await press('Sign Out');
  await press('Sign out');
  await waitFor(() => expect(path()).toBe('/auth'));
  expect([signOuts, drafts()]).toEqual([['sign-out'], []]);
  expect(Object.keys(sessionStorage).filter((key) => key.includes('draft'))).toEqual([draftKey('somebody-else', '/jobs/a', 'comment')]);
});

const lost = (sent: unknown[], input: unknown) => {
  sent.push(input);
  throw new TypeError('Failed to fetch');
};

describe('two people', () => {
  const THEIRS: Quote = {
    ...QUOTE,
    title: 'Heat pump for the hall',
    sections: [{ ...QUOTE_SECTION, items: [{ ...QUOTE_ITEM, quantity: '3' }] }],
    version: 2,
  };

  it('who changed the same quote see both versions by name, and nothing is overwritten', async () => {
    const sent: { version: number; title: string; sections: Quote['sections'] }[] = [];
    await open(EDIT, {
      'PUT /quotes/{id}': (input: unknown) => {
        sent.push(input as (typeof sent)[number]);
        return sent.length === 1 ? refuse('STALE_VERSION', 'Stale', { current: THEIRS }) : { ...THEIRS, version: 3 };
      },
    });
    typeInto('Quantity of Heat pump', '2');
    await press('Save Changes');
    const card = await screen.findByRole('alert');
    expect(card.textContent).toContain('Heat pump: quantityTheirs: 3Yours: 2');
    expect(card.textContent).toContain('TitleTheirs: Heat pump for the hall');
    await press('Keep my changes');
    await waitForToasts('Quote updated successfully');
    expect(sent[1]).toMatchObject({ version: 2, title: 'Heat pump for the hall', sections: [{ items: [{ quantity: '2' }] }] });
  });

  it('of whom one discards and takes it back still see what the other one changed', async () => {
    await open(EDIT);
    typeInto('Title', 'Mine');
    await waitForDraft();
    killTab();
    await open(EDIT, { 'GET /quotes/{id}': () => THEIRS });
    await screen.findByText(RESTORED);
    await press('Discard');
    expect(valueOf('Title')).toBe('Heat pump for the hall');
    await press('Undo');
    expect(valueOf('Title')).toBe('Mine');
    expect(await screen.findByText('Someone else has changed this quote. Your changes are still here.')).toBeDefined();
  });

  it('of whom one moved and one changed an item keep one item with both', async () => {
    const option = { ...QUOTE_SECTION, id: '018f0000-0000-7000-8000-0000000000d2', name: 'Option', items: [] };
    const two: Quote = { ...QUOTE, sections: [QUOTE_SECTION, option] };
    const theirs: Quote = {
      ...two,
      version: 2,
      sections: [
        { ...QUOTE_SECTION, items: [] },
        { ...option, items: [QUOTE_ITEM] },
      ],
    };
    const sent: { sections: Quote['sections'] }[] = [];
    await open(EDIT, {
      'GET /quotes/{id}': () => two,
      'PUT /quotes/{id}': (input: unknown) => {
        sent.push(input as (typeof sent)[number]);
        return sent.length === 1 ? refuse('STALE_VERSION', 'Stale', { current: theirs }) : { ...theirs, version: 3 };
      },
    });
    typeInto('Quantity of Heat pump', '2');
    await press('Save Changes');
    const card = await screen.findByRole('alert');
    expect(card.textContent).toContain("Heat pump: sectionTheirs: OptionYou didn't change this");
    await press('Keep my changes');
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]?.sections).toMatchObject([{ items: [] }, { items: [{ id: QUOTE_ITEM.id, quantity: '2' }] }]);
  });
});
