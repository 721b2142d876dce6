import { act, cleanup, renderHook } from '@testing-library/react';
import { useForm } from 'react-hook-form';
import { afterEach, expect, it } from 'vitest';
import { announceSessionEnd } from './session-end.ts';
import { useDraft } from './use-draft.ts';

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/');
});

function openForm(person: string, { path = '/customers/1', part = '' } = {}) {
  window.history.replaceState(null, '', path);
  const { result, unmount } = renderHook(() => {
    const form = useForm({ defaultValues: { name: 'Ana', notes: '' } });
    useDraft(form, person, { part });
    return form;
  });
  return {
    type: (notes: string) => act(() => result.current.setValue('notes', notes, { shouldDirty: true })),
    typed: () => result.current.getValues(),
    close: unmount,
  };
}

it('brings back what was typed when the session ended, to the same person', () => {
  const before = openForm('mia');
  before.type('Key under the mat');
  act(() => announceSessionEnd('expired'));
  before.close();

  expect(openForm('mia').typed()).toEqual({ name: 'Ana', notes: 'Key under the mat' });
  cleanup();
  expect(openForm('mia').typed()).toEqual({ name: 'Ana', notes: '' });
});

it('shows nobody what somebody else typed, and waits for its person', () => {
  const before = openForm('mia');
  before.type('Key under the mat');
  act(() => announceSessionEnd('expired'));
  before.close();

  expect(openForm('ben').typed().notes).toBe('');
  cleanup();
  expect(openForm('mia').typed().notes).toBe('Key under the mat');
});

it('keeps nothing after signing out by hand', () => {
  const before = openForm('mia');
  before.type('Key under the mat');
  act(() => announceSessionEnd('signed-out'));
  before.close();

  expect(openForm('mia').typed().notes).toBe('');
});

it('brings it back on the page where it was typed only', () => {
  const before = openForm('mia', { path: '/customers/1' });
  before.type('Key under the mat');
  act(() => announceSessionEnd('expired'));
  before.close();

  expect(openForm('mia', { path: '/customers/12' }).typed().notes).toBe('');
  cleanup();
  expect(openForm('mia', { path: '/customers/1' }).typed().notes).toBe('Key under the mat');
});

it('brings back every form of a page', () => {
  const forms = ['', 'my-details'].map((part) => openForm('mia', { path: '/settings', part }));
  for (const [index, form] of forms.entries()) form.type(`Typed into form ${index}`);
  act(() => announceSessionEnd('expired'));
  for (const form of forms) form.close();

  expect(openForm('mia', { path: '/settings', part: 'my-details' }).typed().notes).toBe('Typed into form 1');
  expect(openForm('mia', { path: '/settings' }).typed().notes).toBe('Typed into form 0');
});
