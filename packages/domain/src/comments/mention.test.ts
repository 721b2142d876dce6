import { describe, expect, it } from 'vitest';
import { encodeMentions, findMentionAtCursor, formatMentions, listMentionedIds, matchesMentionTerm, splitAtMentions } from './mention.ts';

const SAM = { staff_id: '018f0000-0000-7000-8000-000000000001', name: 'Sam' };
const SAM_LEOTA = { staff_id: '018f0000-0000-7000-8000-000000000002', name: 'Sam Leota' };
const OTHER_SAM = { staff_id: '018f0000-0000-7000-8000-000000000003', name: 'Sam' };

describe('a typed text', () => {
  it('is stored with ids in place of the mentioned names', () => {
    expect(encodeMentions('@Sam Leota and @Sam: call', [SAM, SAM_LEOTA])).toBe(`@[${SAM_LEOTA.staff_id}] and @[${SAM.staff_id}]: call`);
  });

  it('keeps names that were not picked or that continue with more letters', () => {
    expect(encodeMentions('@Samuel, @Nina', [SAM])).toBe('@Samuel, @Nina');
    expect(encodeMentions('sam@example.com', [])).toBe('sam@example.com');
  });

  it('mentions people with the same name in the order in which they were picked', () => {
    expect(encodeMentions('@Sam @Sam @Sam', [SAM, OTHER_SAM])).toBe(
      [SAM, OTHER_SAM, OTHER_SAM].map(({ staff_id }) => `@[${staff_id}]`).join(' '),
    );
  });

  it('takes special characters in names literally', () => {
    expect(encodeMentions('@J. (Joe) $x', [{ ...SAM, name: 'J. (Joe)' }])).toBe(`@[${SAM.staff_id}] $x`);
  });
});

describe('a stored text', () => {
  const stored = `Hi @[${SAM.staff_id}], ask @[${OTHER_SAM.staff_id}] and @[${SAM.staff_id}]`;

  it('lists each mentioned id once', () => {
    expect(listMentionedIds(stored)).toEqual([SAM.staff_id, OTHER_SAM.staff_id]);
    expect(listMentionedIds('@[not-an-id] @Sam')).toEqual([]);
  });

  it('is shown with the given names, and with a placeholder for unknown people', () => {
    expect(formatMentions(stored, [{ ...SAM, name: 'Samuel' }])).toBe('Hi @Samuel, ask @Someone and @Samuel');
    expect(splitAtMentions(`@[${SAM.staff_id}]!`, [SAM])).toEqual([
      { text: '@Sam', isMention: true },
      { text: '!', isMention: false },
    ]);
  });
});

describe('the mention at the cursor', () => {
  it.each([
    ['@', '', 0],
    ['Ask @sa', 'sa', 4],
    ['Ask @Sam Le', 'Sam Le', 4],
    ['(@nina', 'nina', 1],
  ])('of %j is %j', (text, term, start) => {
    expect(findMentionAtCursor(text, text.length)).toEqual({ start, term });
  });

  it.each(['sam@example', 'Ask @Sam Leota to call', 'No mention', '@ sam\n'])('of %j does not exist', (text) => {
    expect(findMentionAtCursor(text, text.length)).toBeNull();
  });

  it('matches the beginning of a name or of one of its words', () => {
    expect(['le', 'sam l', 'SAM', ''].map((term) => matchesMentionTerm('Sam Leota', term))).toEqual([true, true, true, true]);
    expect(matchesMentionTerm('Sam Leota', 'eota')).toBe(false);
  });
});
