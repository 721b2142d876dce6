import { type ErrorCode, errorStatus } from '@callout/contract/errors';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { act, cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, vi } from 'vitest';
import { createAppRouter } from '../src/app/router.ts';
import { createQueryClient } from '../src/lib/query-client.ts';

// A page loads its parts as it needs them, which takes a while on a busy machine.
configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 30_000 });

/** What the server answers, by method and path; a call that is not named is a mistake of the test. */
export type Answers = Record<string, (input: unknown) => unknown>;

class Refusal extends Error {
  readonly code: ErrorCode;
  readonly data: unknown;
  constructor(code: ErrorCode, message: string, data: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** For an answer: the server refuses the call. */
export function refuse(code: ErrorCode, message = 'A failure on purpose', data?: unknown): never {
  throw new Refusal(code, message, data);
}

async function answerTo(answers: Answers, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const call = `${request.method} ${pathname.replace(/^\/api/, '')}${search}`;
  const answer = answers[call];
  if (!answer) throw new Error(`The test has no answer to ${call}`);
  try {
    const body = await request.text();
    return Response.json(await answer(body === '' ? undefined : JSON.parse(body)));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message, data } = error;
    const status = errorStatus[code];
    return Response.json({ defined: true, code, status, message, data }, { status });
  }
}

const closing: (() => void)[] = [];

afterEach(() => {
  cleanup();
  for (const close of closing.splice(0)) close();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

/** The whole application at a path, with its own router and cache; only the server is played. */
export function openPage(path: string, answers: Answers) {
  vi.stubGlobal('fetch', (request: Request) => answerTo(answers, request));
  window.history.replaceState(null, '', path);
  const queryClient = createQueryClient();
  const router = createAppRouter(queryClient);
  closing.push(
    () => router.history.destroy(),
    () => queryClient.clear(),
  );
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { router, queryClient, path: () => router.state.location.pathname };
}

/** The newest first. */
export const toastTexts = () => [...screen.getByRole('region', { name: 'Messages' }).children].map((toast) => toast.textContent);

export const typeInto = (label: string | RegExp, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

export const valueOf = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label).value;

export async function press(name: string | RegExp): Promise<void> {
  const button = await screen.findByRole('button', { name });
  await act(async () => fireEvent.click(button));
}

export const waitForToasts = (...texts: string[]) => waitFor(() => expect(toastTexts()).toEqual(texts));

export const waitForFocus = (label: string) => waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(label)));
