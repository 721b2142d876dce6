import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import {
  buildAttachment,
  buildComment,
  chooseFiles,
  createPhoto,
  findCommentField,
  findCommentsSection,
  LIST_COMMENTS_CALL,
  openJobComments,
  PDF_ATTACHMENT,
} from './open-comments.ts';
import { failWith, getValue, pressButton, typeInto } from './open-page.tsx';

afterEach(() => window.happyDOM.setViewport({ width: 1024 }));

describe('comments on the job page', () => {
  it('show author, date, text and files, oldest first', async () => {
    openJobComments([
      buildComment({ attachments: [buildAttachment('leak'), PDF_ATTACHMENT] }),
      buildComment({ id: 'comment-2', content: 'Fixed\nand <b>dry</b>, see https://example.com/a.' }),
    ]);
    const view = await findCommentsSection();
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

  it('show an empty state before the first comment', async () => {
    openJobComments();
    await screen.findByText('No comments yet');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Comment' }).disabled).toBe(true);
    expect(screen.getByText('Supported: Images, PDF, DOC, DOCX')).toBeDefined();
  });

  it('show an error with Retry if they cannot be loaded', async () => {
    let isDown = true;
    openJobComments([buildComment()], {
      [LIST_COMMENTS_CALL]: () => (isDown ? failWith('NOT_FOUND', 'Job not found') : { rows: [buildComment()] }),
    });
    const view = await findCommentsSection();
    await view.findByText('Job not found');
    isDown = false;
    await pressButton('Retry');
    expect(await view.findByText('The valve leaks')).toBeDefined();
  });

  it('show only the latest of a long thread until expanded', async () => {
    openJobComments(Array.from({ length: 35 }, (_, index) => buildComment({ id: `comment-${index}`, content: `Text ${index}` })));
    await screen.findByText('Text 34');
    expect(screen.queryByText('Text 4')).toBeNull();
    await pressButton('Show 5 earlier comments');
    expect(screen.getByText('Text 0')).toBeDefined();
  });

  it('load a thumbnail again once the browser is back online', async () => {
    openJobComments([buildComment({ attachments: [buildAttachment('leak')] })]);
    const button = await screen.findByRole('button', { name: 'Open leak.jpg' });
    const findImage = () => button.querySelector('img');
    act(() => void window.dispatchEvent(new Event('offline')));
    act(() => void findImage()?.dispatchEvent(new Event('error')));
    expect(findImage()).toBeNull();
    expect(button.querySelector('[data-icon]')?.getAttribute('data-icon')).toBe('image');
    act(() => void window.dispatchEvent(new Event('online')));
    expect(findImage()?.getAttribute('src')).toBe('/api/files/leak/thumbnail');
  });

  it('show an image icon for a photo without a thumbnail', async () => {
    openJobComments([buildComment({ attachments: [buildAttachment('huge', { thumbnail_url: null })] })]);
    const button = await screen.findByRole('button', { name: 'Open huge.jpg' });
    expect(button.querySelector('[data-icon]')?.getAttribute('data-icon')).toBe('image');
  });
});

describe('the photo viewer', () => {
  const openPhotoViewer = async () => {
    openJobComments([
      buildComment({ attachments: [buildAttachment('a'), PDF_ATTACHMENT, buildAttachment('b')] }),
      buildComment({ id: 'comment-2', attachments: [buildAttachment('c')] }),
    ]);
    const thumbnail = await screen.findByRole('button', { name: 'Open b.jpg' });
    thumbnail.focus();
    await act(async () => fireEvent.click(thumbnail));
    return { thumbnail, dialog: await screen.findByRole('dialog', { name: 'b.jpg' }) };
  };
  const getPhoto = () => within(screen.getByRole('dialog')).getByRole<HTMLImageElement>('img', { name: /jpg$/ });

  it('shows all photos of the job in turn with the arrow keys, and returns the focus when closed', async () => {
    const { thumbnail, dialog } = await openPhotoViewer();
    expect(dialog.textContent).toContain('Sam Leota · Jan 5, 2025 9:05 AM');
    expect(dialog.textContent).toContain('2 / 3');
    expect(within(dialog).getByRole('link', { name: 'Download' }).getAttribute('href')).toBe('/api/files/b?download');
    fireEvent.keyDown(dialog, { key: 'ArrowRight' });
    await waitFor(() => expect(getPhoto().getAttribute('src')).toBe('/api/files/c'));
    fireEvent.keyDown(dialog, { key: 'ArrowRight' });
    fireEvent.keyDown(dialog, { key: 'Home' });
    await waitFor(() => expect(getPhoto().getAttribute('src')).toBe('/api/files/a'));
    await pressButton('Next photo');
    await act(async () => fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(thumbnail));
  });

  it('shows the next photo after a swipe', async () => {
    await openPhotoViewer();
    const picture = getPhoto();
    fireEvent.pointerDown(picture, { clientX: 300, clientY: 200, isPrimary: true });
    fireEvent.pointerUp(picture, { clientX: 120, clientY: 210, isPrimary: true });
    await waitFor(() => expect(getPhoto().getAttribute('src')).toBe('/api/files/c'));
  });

  it('reports a photo that cannot be loaded, and retries it', async () => {
    await openPhotoViewer();
    expect(screen.getByText('Loading...')).toBeDefined();
    fireEvent.error(getPhoto());
    await screen.findByText("Couldn't load this photo. Check your connection and try again.");
    await pressButton('Retry');
    fireEvent.load(getPhoto());
    await pressButton('Zoom in');
    await screen.findByRole('button', { name: 'Zoom to fit' });
  });
});

describe('comments on a phone', () => {
  it('show only the latest one, and let the user add a photo without expanding the thread', async () => {
    window.happyDOM.setViewport({ width: 390 });
    const { server, uploads } = openJobComments([
      buildComment({ attachments: ['a', 'b', 'c', 'd', 'e'].map((id) => buildAttachment(id)) }),
      buildComment({ id: 'comment-2', content: 'New cylinder in' }),
    ]);
    await screen.findByText('2 comments · 5 photos');
    expect(screen.queryByText('The valve leaks')).toBeNull();
    expect(within(screen.getByRole('list', { name: 'Latest photos' })).getAllByRole('button')).toHaveLength(4);
    expect(screen.getByRole('button', { name: 'Sam Leota New cylinder in' })).toBeDefined();
    const camera = document.querySelector<HTMLInputElement>('input[capture="environment"]');
    if (!camera) throw new Error('No camera input found');
    expect([camera.multiple, camera.accept]).toEqual([true, 'image/png,image/jpeg,image/gif']);
    await chooseFiles('input[capture="environment"]', createPhoto('image.png'));
    await pressButton('Comment');
    await waitFor(() => expect(uploads).toHaveLength(1));
    await act(async () => uploads[0]?.respond());
    await waitFor(() => expect(server.sent).toHaveLength(1));
    await screen.findByText('3 comments · 6 photos');
    expect(screen.queryByLabelText('Comment')).toBeNull();
    await pressButton('Show comments');
    await screen.findByText('The valve leaks');
    await findCommentField();
  });

  it('open and focus the composer when a refused comment is edited', async () => {
    window.happyDOM.setViewport({ width: 390 });
    openJobComments([buildComment()], { 'POST /comments': () => failWith('LIMIT_REACHED', 'A job can have at most 1,000 comments.') });
    await pressButton('Show comments');
    await findCommentField();
    typeInto('Comment', 'Ceiling is dry');
    await pressButton('Comment');
    await pressButton('Hide comments');
    await pressButton('Edit');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Comment')));
    expect(getValue('Comment')).toBe('Ceiling is dry');
  });

  it('can be written without expanding the thread', async () => {
    window.happyDOM.setViewport({ width: 390 });
    const { server } = openJobComments([buildComment()]);
    await findCommentsSection();
    await pressButton('Write a comment');
    const field = await screen.findByRole('textbox', { name: 'Comment' });
    await waitFor(() => expect(document.activeElement).toBe(field));
    fireEvent.change(field, { target: { value: 'On my way' } });
    await pressButton('Comment');
    await waitFor(() => expect(server.sent).toMatchObject([{ content: 'On my way' }]));
    expect(await screen.findByRole('button', { name: 'Write a comment' })).toBeDefined();
  });
});
