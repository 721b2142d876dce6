import type { Task } from '@callout/contract/tasks';
import { screen } from '@testing-library/react';
import { type Answers, openPage } from './open-page.tsx';
import { MIA, OWNER, SAM, TASK } from './people.ts';

export const list = (status: string) => `GET /tasks?status=${status}`;
const count = (status: string) => `GET /tasks/count?status=${status}`;
export const pageOf = (...rows: Task[]) => ({ rows, next_cursor: null });
export const OTHER: Task = {
  ...TASK,
  id: '018f0000-0000-7000-8000-000000000042',
  title: 'Call the council',
  created_at: '2026-02-01T08:00:00.000Z',
};
export const DONE: Task = {
  ...TASK,
  id: '018f0000-0000-7000-8000-000000000043',
  title: 'Wash the van',
  status: 'completed',
  completed_at: '2026-03-02T08:00:00.000Z',
};

export function openTodo(path: string, more: Answers = {}, active: Task[] = [TASK, OTHER], completed: Task[] = [DONE]) {
  const sent: unknown[] = [];
  const record = (answer: (input: never) => unknown) => (input: unknown) => {
    sent.push(input);
    return answer(input as never);
  };
  const page = openPage(path, {
    'GET /me': () => OWNER,
    [list('active')]: () => pageOf(...active),
    [list('completed')]: () => pageOf(...completed),
    [count('active')]: () => ({ total: active.length }),
    [count('completed')]: () => ({ total: completed.length }),
    'GET /staff-names': () => ({ rows: [SAM, MIA] }),
    'GET /tasks/{id}': () => TASK,
    'POST /tasks': record((input: object) => ({ ...TASK, ...input, staff: null })),
    'PUT /tasks/{id}': record((input: object) => ({ ...TASK, ...input, version: 2 })),
    'PUT /tasks/{id}/status': record(({ status }: { status: Task['status'] }) => ({
      ...TASK,
      status,
      completed_at: status === 'completed' ? '2026-03-05T08:00:00.000Z' : null,
      clashes: [],
    })),
    'DELETE /tasks/{id}': record(() => ({})),
    ...more,
  });
  return { ...page, sent };
}

export async function openTaskDialog(path: string, more?: Answers) {
  const page = openTodo(path, more);
  await screen.findByLabelText('Title');
  return page;
}
