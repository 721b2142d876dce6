import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { attachment, COMMENTS, chooseIn, comment, composer, openComments, PLAN, photo, section } from './open-comments.ts';
import { press, refuse, typeInto, valueOf } from './open-page.tsx';

afterEach(() => window.happyDOM.setViewport({ width: 1024 }));

describe('the comments of a job', () => {
  it('show author, date, text and files, the oldest first', async () => {
    openComments([
      comment({ attachments: [attachment('leak'), PLAN] }),
      comment({ id: 'comment-2', content: 'Fixed\nand <b>dry</b>, see https://example.com/a.' }),
    ]);
    const view = await section();
    await view.findByText('The valve leaks');
    expect(view.getByRole('heading', { name: 'Comments 2' })).toBeDefined();
    expect(view.getAllByText('Sam Leota')).toHaveLength(2);
    expect(view.getAllByText('Jan 5, 2025 9:05 AM')).toHaveLength(2);
    const first = view.getAllByRole('listitem')[0];
    expect(first?.textContent).toContain('The valve leaks');
    expect(view.getByRole('button', { name: 'Open leak.jpg' }).querySelector('img')?.getAttribute('src')).toBe('/api/files/leak/thumbnail');
    const download = view.getByRole('link', { name: /plan\.pdf/ });
    expect([download.getAttribute('href'), download.getAttribute('download')]).toEqual(['/api/files/plan', 'plan.pdf']);
    expect(download.textContent).toContain('1.5 KB');
    expect(download.querySelector('[data-icon]')?.getAttribute('data-icon')).toBe('document');
    const link = view.getByRole('link', { name: 'https://example.com/a' });
    expect(link.parentElement?.textContent).toBe('Fixed\nand <b>dry</b>, see https://example.com/a.');
    expect(link.getAttribute('rel')).toBe('noopener noreferrer');
  });

  it('are none yet', async () => {
    openComments();
    await screen.findByText('No comments yet');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Comment' }).disabled).toBe(true);
    expect(screen.getByText('Supported: Images, PDF, DOC, DOCX')).toBeDefined();
  });

  it('that cannot be read say so, and are read again', async () => {
    let isDown = true;
    openComments([comment()], { [COMMENTS]: () => (isDown ? refuse('NOT_FOUND', 'Job not found') : { rows: [comment()] }) });
    const view = await section();
    await view.findByText('Job not found');
    isDown = false;
    await press('Retry');
    expect(await view.findByText('The valve leaks')).toBeDefined();
  });

  it('of many months open at the latest', async () => {
    openComments(Array.from({ length: 35 }, (_, index) => comment({ id: `comment-${index}`, content: `Text ${index}` })));
    await screen.findByText('Text 34');
    expect(screen.queryByText('Text 4')).toBeNull();
    await press('Show 5 earlier comments');
    expect(screen.getByText('Text 0')).toBeDefined();
  });

  it('a picture without a thumbnail shows an image icon', async () => {
    openComments([comment({ attachments: [attachment('huge', { thumbnail_url: null })] })]);
    const button = await screen.findByRole('button', { name: 'Open huge.jpg' });
    expect(button.querySelector('[data-icon]')?.getAttribute('data-icon')).toBe('image');
  });
});

describe('the viewer', () => {
  const openPhotos = async () => {
    openComments([
      comment({ attachments: [attachment('a'), PLAN, attachment('b')] }),
      comment({ id: 'comment-2', attachments: [attachment('c')] }),
    ]);
    const thumbnail = await screen.findByRole('button', { name: 'Open b.jpg' });
    thumbnail.focus();
    await act(async () => fireEvent.click(thumbnail));
    return { thumbnail, dialog: await screen.findByRole('dialog', { name: 'b.jpg' }) };
  };
  const shown = () => within(screen.getByRole('dialog')).getByRole<HTMLImageElement>('img', { name: /jpg$/ });

  it('goes through all pictures of the job with the arrow keys, and gives the focus back', async () => {
    const { thumbnail, dialog } = await openPhotos();
    expect(dialog.textContent).toContain('Sam Leota · Jan 5, 2025 9:05 AM');
    expect(dialog.textContent).toContain('2 / 3');
    expect(within(dialog).getByRole('link', { name: 'Download' }).getAttribute('href')).toBe('/api/files/b');
    fireEvent.keyDown(dialog, { key: 'ArrowRight' });
    await waitFor(() => expect(shown().getAttribute('src')).toBe('/api/files/c'));
    fireEvent.keyDown(dialog, { key: 'ArrowRight' });
    fireEvent.keyDown(dialog, { key: 'Home' });
    await waitFor(() => expect(shown().getAttribute('src')).toBe('/api/files/a'));
    await press('Next photo');
    await act(async () => fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(thumbnail));
  });

  it('goes on by a swipe', async () => {
    await openPhotos();
    const picture = shown();
    fireEvent.pointerDown(picture, { clientX: 300, clientY: 200, isPrimary: true });
    fireEvent.pointerUp(picture, { clientX: 120, clientY: 210, isPrimary: true });
    await waitFor(() => expect(shown().getAttribute('src')).toBe('/api/files/c'));
  });

  it('says when a picture cannot be loaded, and loads it again', async () => {
    await openPhotos();
    expect(screen.getByText('Loading...')).toBeDefined();
    fireEvent.error(shown());
    await screen.findByText("Couldn't load this photo. Check your connection and try again.");
    await press('Retry');
    fireEvent.load(shown());
    await press('Zoom in');
    await screen.findByRole('button', { name: 'Zoom to fit' });
  });
});

describe('on a phone', () => {
  it('only what is new shows, and a photo is added without opening it', async () => {
    window.happyDOM.setViewport({ width: 390 });
    const { server, uploads } = openComments([
      comment({ attachments: ['a', 'b', 'c', 'd', 'e'].map((id) => attachment(id)) }),
      comment({ id: 'comment-2', content: 'New cylinder in' }),
    ]);
    await screen.findByText('2 comments · 5 photos');
    expect(screen.queryByText('The valve leaks')).toBeNull();
    expect(within(screen.getByRole('list', { name: 'Latest photos' })).getAllByRole('button')).toHaveLength(4);
    expect(screen.getByRole('button', { name: 'Sam Leota New cylinder in' })).toBeDefined();
    const camera = document.querySelector<HTMLInputElement>('input[capture="environment"]');
    if (!camera) throw new Error('There is no camera');
    expect([camera.multiple, camera.accept]).toEqual([true, 'image/png,image/jpeg,image/gif']);
    await chooseIn('input[capture="environment"]', photo('image.png'));
    await act(async () => uploads[0]?.answer());
    await press('Comment');
    await waitFor(() => expect(server.sent).toHaveLength(1));
    await screen.findByText('3 comments · 6 photos');
    expect(screen.queryByLabelText('Comment')).toBeNull();
    await press('Show comments');
    await screen.findByText('The valve leaks');
    await composer();
  });

  it('a comment that failed is changed where it can be seen, and is written on', async () => {
    window.happyDOM.setViewport({ width: 390 });
    openComments([comment()], { 'POST /comments': () => refuse('UNAVAILABLE', 'The server is restarting') });
    await press('Show comments');
    await composer();
    typeInto('Comment', 'Ceiling is dry');
    await press('Comment');
    await press('Hide comments');
    await press('Edit');
    expect(valueOf('Comment')).toBe('Ceiling is dry');
    expect(document.activeElement).toBe(screen.getByLabelText('Comment'));
  });

  it('one is written without unfolding the others', async () => {
    window.happyDOM.setViewport({ width: 390 });
    const { server } = openComments([comment()]);
    await section();
    await press('Write a comment');
    const field = await screen.findByRole('textbox', { name: 'Comment' });
    await waitFor(() => expect(document.activeElement).toBe(field));
    fireEvent.change(field, { target: { value: 'On my way' } });
    await press('Comment');
    await waitFor(() => expect(server.sent).toMatchObject([{ content: 'On my way' }]));
    expect(await screen.findByRole('button', { name: 'Write a comment' })).toBeDefined();
  });
});
