import { act, cleanup, renderHook } from '@testing-library/react';
import { useForm } from 'react-hook-form';
import { afterEach, expect, it } from 'vitest';
import { announceSessionEnd } from './session-end.ts';
import { useSessionDraft } from './use-session-draft.ts';

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/');
});

function openForm(person: string, { path = '/customers/1', part = '' } = {}) {
  window.history.replaceState(null, '', path);
  const { result, unmount } = renderHook(() => {
    const form = useForm({ defaultValues: { name: 'Ana', notes: '' } });
    useSessionDraft(form, person, { part });
    return form;
  });
  return {
    type: (notes: string) => act(() => result.current.setValue('notes', notes, { shouldDirty: true })),
    values: () => result.current.getValues(),
    close: unmount,
  };
}

it('restores unsaved edits once after the session expires', () => {
  const before = openForm('mia');
  before.type('Key under the mat');
  act(() => announceSessionEnd('expired'));
  before.close();

  expect(openForm('mia').values()).toEqual({ name: 'Ana', notes: 'Key under the mat' });
  cleanup();
  expect(openForm('mia').values()).toEqual({ name: 'Ana', notes: '' });
});

it('hides a draft from other people and keeps it until its owner returns', () => {
  const before = openForm('mia');
  before.type('Key under the mat');
  act(() => announceSessionEnd('expired'));
  before.close();

  expect(openForm('ben').values().notes).toBe('');
  cleanup();
  expect(openForm('mia').values().notes).toBe('Key under the mat');
});

it('does not save a draft on sign-out', () => {
  const before = openForm('mia');
  before.type('Key under the mat');
  act(() => announceSessionEnd('signed-out'));
  before.close();

  expect(openForm('mia').values().notes).toBe('');
});

it('restores a draft only on the page where it was typed', () => {
  const before = openForm('mia', { path: '/customers/1' });
  before.type('Key under the mat');
  act(() => announceSessionEnd('expired'));
  before.close();

  expect(openForm('mia', { path: '/customers/12' }).values().notes).toBe('');
  cleanup();
  expect(openForm('mia', { path: '/customers/1' }).values().notes).toBe('Key under the mat');
});

it('restores the drafts of all forms on a page', () => {
  const forms = ['', 'my-details'].map((part) => openForm('mia', { path: '/settings', part }));
  for (const [index, form] of forms.entries()) form.type(`Typed into form ${index}`);
  act(() => announceSessionEnd('expired'));
  for (const form of forms) form.close();

  expect(openForm('mia', { path: '/settings', part: 'my-details' }).values().notes).toBe('Typed into form 1');
  expect(openForm('mia', { path: '/settings' }).values().notes).toBe('Typed into form 0');
});
