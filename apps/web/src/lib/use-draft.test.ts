import { act, cleanup, renderHook } from '@testing-library/react';
import { useForm } from 'react-hook-form';
import { afterEach, expect, it } from 'vitest';
import { announceSessionEnd } from './session-end.ts';
import { useDraft } from './use-draft.ts';

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

function openForm(person: string) {
  const { result, unmount } = renderHook(() => {
    const form = useForm({ defaultValues: { name: 'Ana', notes: '' } });
    useDraft(form, person);
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

it('shows nobody what somebody else typed', () => {
  const before = openForm('mia');
  before.type('Key under the mat');
  act(() => announceSessionEnd('expired'));
  before.close();

  expect(openForm('ben').typed().notes).toBe('');
  cleanup();
  expect(openForm('mia').typed().notes).toBe('');
});

it('keeps nothing after signing out by hand', () => {
  const before = openForm('mia');
  before.type('Key under the mat');
  act(() => announceSessionEnd('signed-out'));
  before.close();

  expect(openForm('mia').typed().notes).toBe('');
});
