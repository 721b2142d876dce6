import type { Task } from '@callout/contract/tasks';
import { screen } from '@testing-library/react';
import { ADMIN_USER, MIA, SAM, TASK } from './fixtures.ts';
import { type MockApi, openPage } from './open-page.tsx';

export const buildTaskListCall = (status: string) => `GET /tasks?status=${status}`;
const buildTaskCountCall = (status: string) => `GET /tasks/count?status=${status}`;
export const buildTaskPage = (...rows: Task[]) => ({ rows, next_cursor: null });
export const OTHER_TASK: Task = {
  ...TASK,
  id: '018f0000-0000-7000-8000-000000000042',
  title: 'Call the council',
  created_at: '2026-02-01T08:00:00.000Z',
};
export const COMPLETED_TASK: Task = {
  ...TASK,
  id: '018f0000-0000-7000-8000-000000000043',
  title: 'Wash the van',
  status: 'completed',
  completed_at: '2026-03-02T08:00:00.000Z',
};

export function openTodoPage(
  path: string,
  responses: MockApi = {},
  active: Task[] = [TASK, OTHER_TASK],
  completed: Task[] = [COMPLETED_TASK],
) {
  const sent: unknown[] = [];
  const recordInput = (response: (input: never) => unknown) => (input: unknown) => {
    sent.push(input);
    return response(input as never);
  };
  const page = openPage(path, {
    'GET /me': () => ADMIN_USER,
    [buildTaskListCall('active')]: () => buildTaskPage(...active),
    [buildTaskListCall('completed')]: () => buildTaskPage(...completed),
    [buildTaskCountCall('active')]: () => ({ total: active.length }),
    [buildTaskCountCall('completed')]: () => ({ total: completed.length }),
    'GET /staff-names': () => ({ rows: [SAM, MIA] }),
    'GET /tasks/{id}': () => TASK,
    'POST /tasks': recordInput((input: object) => ({ ...TASK, ...input, staff: null })),
    'PUT /tasks/{id}': recordInput((input: object) => ({ ...TASK, ...input, version: 2 })),
    'PUT /tasks/{id}/status': recordInput(({ status }: { status: Task['status'] }) => ({
      ...TASK,
      status,
      completed_at: status === 'completed' ? '2026-03-05T08:00:00.000Z' : null,
      clashes: [],
    })),
    'DELETE /tasks/{id}': recordInput(() => ({})),
    ...responses,
  });
  return { ...page, sent };
}

export async function openTaskDialog(path: string, responses?: MockApi) {
  const page = openTodoPage(path, responses);
  await screen.findByLabelText('Title');
  return page;
}
