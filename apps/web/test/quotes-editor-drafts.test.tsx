import type { Quote } from '@callout/contract/quotes';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { watchSession } from '../src/app/session.ts';
import { buildSessionDraftKey } from '../src/lib/draft-keys.ts';
import { announceSessionEnd } from '../src/lib/session-end.ts';
import { ADMIN_USER, QUOTE, QUOTE_ITEM, QUOTE_SECTION } from './fixtures.ts';
import { mockUploads } from './mock-upload.ts';
import { failWith, getValue, pressButton, typeInto, waitForToasts } from './open-page.tsx';
import { EDIT_QUOTE_PATH, getQuoteSection, NEW_QUOTE_PATH, openQuoteEditor } from './open-quote-editor.ts';

const RESTORED_MESSAGE = 'Your unsaved changes were restored.';
const listDraftKeys = () => Object.keys(localStorage).filter((key) => key.startsWith('callout-lasting-draft'));
const waitForDraft = () => waitFor(() => expect(listDraftKeys()).toHaveLength(1));

/** Simulates a crashed tab: its drafts survive in local storage, and in session storage unless `clearSession` is set. */
function crashTab({ clearSession = false } = {}) {
  const savedDrafts = listDraftKeys().map((key) => [key, localStorage.getItem(key) ?? ''] as const);
  cleanup();
  for (const [key, value] of savedDrafts) localStorage.setItem(key, value);
  if (clearSession) sessionStorage.clear();
}

async function openEditor(path: string, responses = {}) {
  const page = openQuoteEditor(path, responses);
  await screen.findByLabelText('Title');
  return page;
}

async function addPipeItem() {
  const search = screen.getByRole('combobox', { name: /^Add an item/ });
  fireEvent.change(search, { target: { value: 'pipe' } });
  await act(async () => fireEvent.keyDown(search, { key: 'Enter' }));
  await screen.findByText('Copper pipe 15 mm');
}

describe('the quote editor', () => {
  it.each([false, true])('restores unsaved changes and the quote id after a reload or a crashed tab (crashed: %s)', async (hasCrashed) => {
    const firstPage = await openEditor(NEW_QUOTE_PATH, {
      'POST /quotes': (input: unknown) => loseResponse(firstPage.server.created, input),
    });
    typeInto('Title', 'Hot water');
    await addPipeItem();
    await pressButton('Create Quote');
    await waitFor(() => expect(firstPage.server.created).toHaveLength(1));
    await waitFor(() => expect(localStorage.getItem(listDraftKeys()[0] ?? '')).toContain('Copper pipe'));
    crashTab({ clearSession: hasCrashed });

    const { server } = await openEditor(NEW_QUOTE_PATH);
    await screen.findByText(RESTORED_MESSAGE);
    expect(getValue('Title')).toBe('Hot water');
    expect(getQuoteSection('Items & Services').getByText('Copper pipe 15 mm')).toBeDefined();
    await pressButton('Create Quote');
    await waitForToasts('Quote created successfully');
    expect(server.created[0]?.id).toBe(firstPage.server.created[0]?.id);
    await waitFor(() => expect(listDraftKeys()).toEqual([]));
  });

  it('discards a restored draft', async () => {
    await openEditor(NEW_QUOTE_PATH);
    typeInto('Title', 'Hot water');
    await waitForDraft();
    crashTab();
    await openEditor(NEW_QUOTE_PATH);
    await screen.findByText(RESTORED_MESSAGE);
    await pressButton('Discard');
    expect([getValue('Title'), screen.queryByText(RESTORED_MESSAGE)]).toEqual(['', null]);
    await waitFor(() => expect(listDraftKeys()).toEqual([]));
  });

  it('names a restored attachment that is no longer on the server and removes it in one click', async () => {
    const uploads = mockUploads();
    await openEditor(NEW_QUOTE_PATH);
    typeInto('Title', 'Hot water');
    await act(async () => fireEvent.click(screen.getByRole('tab', { name: 'Attachments' })));
    await screen.findByRole('button', { name: 'Add files' });
    const files = [new File(['bytes'], 'plan.pdf', { type: 'application/pdf' })];
    await act(async () => fireEvent.change(document.querySelector('input[type=file]') ?? document.body, { target: { files } }));
    await waitFor(() => expect(uploads).toHaveLength(1));
    await act(async () => uploads[0]?.respond());
    await waitFor(() => expect(localStorage.getItem(listDraftKeys()[0] ?? '')).toContain('plan.pdf'));
    crashTab();

    const { server } = openQuoteEditor(NEW_QUOTE_PATH);
    const originalFetch = fetch;
    // Only the owner may learn that the file is missing, so a request without the person header gets a 401.
    const respond = ({ headers }: Request) =>
      new Response(null, { status: headers.get('x-callout-person') === ADMIN_USER.user.id ? 404 : 401 });
    vi.stubGlobal('fetch', (request: Request) =>
      request.url.includes('/api/files/') ? Promise.resolve(respond(request)) : originalFetch(request),
    );
    await screen.findByText('plan.pdf is no longer on the server. Remove it to save the quote, or add it again.');
    await pressButton('Remove plan.pdf');
    expect(screen.queryByText(/is no longer on the server/)).toBeNull();
    await pressButton('Create Quote');
    await waitFor(() => expect(server.created).toMatchObject([{ title: 'Hot water', attachment_ids: [] }]));
  });

  it('keeps the draft for one customer out of other new quotes', async () => {
    await openEditor(NEW_QUOTE_PATH);
    typeInto('Title', 'Hot water');
    await waitForDraft();
    crashTab();
    await openEditor('/quotes/new');
    expect(getValue('Title')).toBe('');
    expect(listDraftKeys()).toHaveLength(1);
  });

  it('deletes the draft when the user confirms leaving the page', async () => {
    const { router, path } = await openEditor(NEW_QUOTE_PATH);
    typeInto('Title', 'Hot water');
    await waitForDraft();
    router.history.push('/quotes');
    await pressButton('Leave');
    await waitFor(() => expect(path()).toBe('/quotes'));
    expect(listDraftKeys()).toEqual([]);
  });

  it('carries edits made while a quote is being created into that quote, not into the next new one', async () => {
    let respond: () => void = () => undefined;
    const { path, router } = await openEditor(NEW_QUOTE_PATH, {
      'POST /quotes': async (input: unknown) => {
        await new Promise<void>((resolve) => {
          respond = resolve;
        });
        return { ...QUOTE, id: (input as Quote).id, title: 'Hot water' };
      },
      'GET /quotes/{id}': () => ({ ...QUOTE, title: 'Hot water' }),
    });
    typeInto('Title', 'Hot water');
    await pressButton('Create Quote');
    await screen.findByRole('button', { name: 'Creating...' });
    typeInto('Title', 'Hot water and rails');
    await act(async () => respond());
    await waitFor(() => expect(path()).toMatch(/edit$/));
    await waitFor(() => expect(getValue('Title')).toBe('Hot water and rails'));
    expect(listDraftKeys().filter((key) => key.includes('/quotes/new'))).toEqual([]);
    expect(router.state.location.pathname).toContain('/edit');
  });

  it('opens the existing quote for editing when the server reports that its id is taken', async () => {
    const { path, server } = await openEditor(NEW_QUOTE_PATH, { 'POST /quotes': () => failWith('ID_TAKEN', 'Taken') });
    typeInto('Title', 'Hot water');
    await pressButton('Create Quote');
    await waitFor(() => expect(path()).toMatch(/^\/quotes\/[\da-f-]{36}\/edit$/));
    await waitFor(() => expect(getValue('Title')).toBe('Hot water'));
    expect(server.created).toEqual([]);
  });
});

describe('draft storage', () => {
  it('asks before the tab closes when local storage is full', async () => {
    await openEditor(NEW_QUOTE_PATH);
    const closeTab = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    typeInto('Title', 'Hot water');
    await waitForDraft();
    expect(closeTab()).toBe(false);
    const setItem = () => {
      throw new DOMException('Full', 'QuotaExceededError');
    };
    const realStorage = localStorage;
    vi.stubGlobal('localStorage', { setItem, removeItem: (key: string) => realStorage.removeItem(key), clear: () => realStorage.clear() });
    typeInto('Title', 'Hot water and rails');
    await waitFor(() => expect(closeTab()).toBe(true));
  });

  it("deletes a person's drafts in every tab when they sign out and keeps other people's drafts", async () => {
    const { router, queryClient, path } = await openEditor(NEW_QUOTE_PATH, { 'GET /me': () => ADMIN_USER });
    onTestFinished(watchSession(router, queryClient));
    const [otherUserKey, otherTabKey] = ['someone', ADMIN_USER.user.id].map((id) => `callout-lasting-draft ${id} /quotes/1/edit  slot`);
    for (const key of [otherUserKey, otherTabKey])
      localStorage.setItem(key ?? '', JSON.stringify({ version: 1, kept_at: Date.now(), fields: [] }));
    typeInto('Title', 'Hot water');
    await act(async () => announceSessionEnd('signed-out'));
    await waitFor(() => expect(path()).toBe('/auth'));
    expect(listDraftKeys()).toEqual([otherUserKey]);
  });

  it('deletes a draft that is being typed when the person signs out in another tab', async () => {
    const { router, queryClient, path } = await openEditor(NEW_QUOTE_PATH, { 'GET /me': () => ADMIN_USER });
    onTestFinished(watchSession(router, queryClient));
    const otherTab = new BroadcastChannel('callout-session');
    typeInto('Title', 'Hot water');
    await waitForDraft();
    typeInto('Title', 'Hot water and rails');
    for (const key of listDraftKeys()) localStorage.removeItem(key);
    otherTab.postMessage({ end: 'signed-out', person: ADMIN_USER.user.id });
    await waitFor(() => expect(path()).toBe('/auth'));
    otherTab.close();
    expect(listDraftKeys()).toEqual([]);
  });
});

it('asks for confirmation before a sign-out discards unsaved changes', async () => {
  const signOuts: string[] = [];
  const { router, queryClient, path } = await openEditor(NEW_QUOTE_PATH, {
    'POST /auth/sign-out': () => {
      signOuts.push('sign-out');
      return {};
    },
  });
  onTestFinished(watchSession(router, queryClient));
  // These drafts were left behind by a page that is no longer open.
  sessionStorage.setItem(buildSessionDraftKey(ADMIN_USER.user.id, '/jobs/a', 'comment'), '{}');
  sessionStorage.setItem(buildSessionDraftKey('another-user', '/jobs/a', 'comment'), '{}');
  typeInto('Title', 'Hot water');
  await waitForDraft();
  await pressButton('Sign Out');
  const dialog = await screen.findByRole('alertdialog', { name: 'Sign out without saving?' });
  expect(dialog.textContent).toContain("Your changes haven't been saved. Signing out discards them.");
  await pressButton('Keep editing');
  expect([signOuts, listDraftKeys().length, getValue('Title')]).toEqual([[], 1, 'Hot water']);
  await pressButton('Sign Out');
  await pressButton('Sign out');
  await waitFor(() => expect(path()).toBe('/auth'));
  expect([signOuts, listDraftKeys()]).toEqual([['sign-out'], []]);
  expect(Object.keys(sessionStorage).filter((key) => key.includes('draft'))).toEqual([
    buildSessionDraftKey('another-user', '/jobs/a', 'comment'),
  ]);
});

const loseResponse = (sent: unknown[], input: unknown) => {
  sent.push(input);
  throw new TypeError('Failed to fetch');
};

describe('the quote editor during concurrent edits', () => {
  const THEIR_VERSION: Quote = {
    ...QUOTE,
    title: 'Heat pump for the hall',
    sections: [{ ...QUOTE_SECTION, items: [{ ...QUOTE_ITEM, quantity: '3' }] }],
    version: 2,
  };

  it('shows both versions of each changed field and overwrites nothing', async () => {
    const sent: { version: number; title: string; sections: Quote['sections'] }[] = [];
    await openEditor(EDIT_QUOTE_PATH, {
      'PUT /quotes/{id}': (input: unknown) => {
        sent.push(input as (typeof sent)[number]);
        return sent.length === 1 ? failWith('STALE_VERSION', 'Stale', { current: THEIR_VERSION }) : { ...THEIR_VERSION, version: 3 };
      },
    });
    typeInto('Quantity of Heat pump', '2');
    await pressButton('Save Changes');
    const conflictCard = await screen.findByRole('alert');
    expect(conflictCard.textContent).toContain('Heat pump: quantityTheirs: 3Yours: 2');
    expect(conflictCard.textContent).toContain('TitleTheirs: Heat pump for the hall');
    await pressButton('Keep my changes');
    await waitForToasts('Quote updated successfully');
    expect(sent[1]).toMatchObject({ version: 2, title: 'Heat pump for the hall', sections: [{ items: [{ quantity: '2' }] }] });
  });

  it('still reports the newer version after a draft is discarded and restored with Undo', async () => {
    await openEditor(EDIT_QUOTE_PATH);
    typeInto('Title', 'Mine');
    await waitForDraft();
    crashTab();
    await openEditor(EDIT_QUOTE_PATH, { 'GET /quotes/{id}': () => THEIR_VERSION });
    await screen.findByText(RESTORED_MESSAGE);
    await pressButton('Discard');
    expect(getValue('Title')).toBe('Heat pump for the hall');
    await pressButton('Undo');
    expect(getValue('Title')).toBe('Mine');
    expect(await screen.findByText("There's a newer version of this quote. Your changes are still here.")).toBeDefined();
  });

  it('merges an item moved by one person and edited by another into a single item', async () => {
    const optionalSection = { ...QUOTE_SECTION, id: '018f0000-0000-7000-8000-0000000000d2', name: 'Option', items: [] };
    const twoSectionQuote: Quote = { ...QUOTE, sections: [QUOTE_SECTION, optionalSection] };
    const theirVersion: Quote = {
      ...twoSectionQuote,
      version: 2,
      sections: [
        { ...QUOTE_SECTION, items: [] },
        { ...optionalSection, items: [QUOTE_ITEM] },
      ],
    };
    const sent: { sections: Quote['sections'] }[] = [];
    await openEditor(EDIT_QUOTE_PATH, {
      'GET /quotes/{id}': () => twoSectionQuote,
      'PUT /quotes/{id}': (input: unknown) => {
        sent.push(input as (typeof sent)[number]);
        return sent.length === 1 ? failWith('STALE_VERSION', 'Stale', { current: theirVersion }) : { ...theirVersion, version: 3 };
      },
    });
    typeInto('Quantity of Heat pump', '2');
    await pressButton('Save Changes');
    const conflictCard = await screen.findByRole('alert');
    expect(conflictCard.textContent).toContain("Heat pump: sectionTheirs: OptionYou didn't change this");
    await pressButton('Keep my changes');
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]?.sections).toMatchObject([{ items: [] }, { items: [{ id: QUOTE_ITEM.id, quantity: '2' }] }]);
  });
});
