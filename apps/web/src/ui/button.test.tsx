import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Button } from './button.tsx';

afterEach(cleanup);

test('a double press counts once', () => {
  const pressed = vi.fn();
  render(<Button onClick={pressed}>Send again</Button>);
  const button = screen.getByRole('button');
  fireEvent.click(button, { detail: 1 });
  fireEvent.click(button, { detail: 2 });
  expect(pressed).toHaveBeenCalledTimes(1);
});

test('a press later, or by keyboard, counts again', () => {
  const pressed = vi.fn();
  render(<Button onClick={pressed}>Send again</Button>);
  const button = screen.getByRole('button');
  for (const detail of [1, 1, 0, 0]) fireEvent.click(button, { detail });
  expect(pressed).toHaveBeenCalledTimes(4);
});

test('a press while something is under way does not send a form', () => {
  const sent = vi.fn((event: React.SyntheticEvent) => event.preventDefault());
  render(
    <form onSubmit={sent}>
      <Button type="submit" busy>
        Save
      </Button>
    </form>,
  );
  fireEvent.click(screen.getByRole('button'), { detail: 1 });
  expect(sent).not.toHaveBeenCalled();
});
