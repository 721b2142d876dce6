import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Button } from './button.tsx';

afterEach(cleanup);

test('counts every rapid click on a button that starts no request', () => {
  const onClick = vi.fn();
  render(<Button onClick={onClick}>Next week</Button>);
  for (const detail of [1, 2, 3]) fireEvent.click(screen.getByRole('button'), { detail });
  expect(onClick).toHaveBeenCalledTimes(3);
});

test('starts one request on a double click', () => {
  const onClick = vi.fn();
  render(
    <Button busy={false} onClick={onClick}>
      Send again
    </Button>,
  );
  const button = screen.getByRole('button');
  fireEvent.click(button, { detail: 1 });
  fireEvent.click(button, { detail: 2 });
  expect(onClick).toHaveBeenCalledTimes(1);
});

test('starts another request on a later click or key press', () => {
  const onClick = vi.fn();
  render(
    <Button busy={false} onClick={onClick}>
      Send again
    </Button>,
  );
  const button = screen.getByRole('button');
  for (const detail of [1, 1, 0, 0]) fireEvent.click(button, { detail });
  expect(onClick).toHaveBeenCalledTimes(4);
});

test('does not submit the form while a request is running', () => {
  const onSubmit = vi.fn((event: React.SyntheticEvent) => event.preventDefault());
  render(
    <form onSubmit={onSubmit}>
      <Button type="submit" busy>
        Save
      </Button>
    </form>,
  );
  fireEvent.click(screen.getByRole('button'), { detail: 1 });
  expect(onSubmit).not.toHaveBeenCalled();
});
