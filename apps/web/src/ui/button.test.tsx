import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Button } from './button.tsx';

afterEach(cleanup);

test('every click of a button that starts no request counts, however quick', () => {
  const clicked = vi.fn();
  render(<Button onClick={clicked}>Next week</Button>);
  for (const detail of [1, 2, 3]) fireEvent.click(screen.getByRole('button'), { detail });
  expect(clicked).toHaveBeenCalledTimes(3);
});

test('a double click starts one request', () => {
  const clicked = vi.fn();
  render(
    <Button busy={false} onClick={clicked}>
      Send again
    </Button>,
  );
  const button = screen.getByRole('button');
  fireEvent.click(button, { detail: 1 });
  fireEvent.click(button, { detail: 2 });
  expect(clicked).toHaveBeenCalledTimes(1);
});

test('a later click, or one by keyboard, starts another request', () => {
  const clicked = vi.fn();
  render(
    <Button busy={false} onClick={clicked}>
      Send again
    </Button>,
  );
  const button = screen.getByRole('button');
  for (const detail of [1, 1, 0, 0]) fireEvent.click(button, { detail });
  expect(clicked).toHaveBeenCalledTimes(4);
});

test('a click while a request runs does not submit the form', () => {
  const submitted = vi.fn((event: React.SyntheticEvent) => event.preventDefault());
  render(
    <form onSubmit={submitted}>
      <Button type="submit" busy>
        Save
      </Button>
    </form>,
  );
  fireEvent.click(screen.getByRole('button'), { detail: 1 });
  expect(submitted).not.toHaveBeenCalled();
});
