import { afterAll, describe, expect, test } from 'bun:test';
import { MAX_MESSAGES, type NewMessage, REPLIES_PER_HOUR } from '../../../../src/domain/submissions/message.ts';
import { DAY, HOUR, MINUTE } from '../../../../src/lib/clock.ts';
import { newId } from '../../../../src/lib/ids.ts';
import { type Engine, openFixture } from './fixture.ts';

/** Tests notes, replies and assignments. */
export async function describeMessages(engine: Engine): Promise<void> {
  const { store, clock, makeForm, makeMember, submission } = await openFixture(engine);

  /** Stores a submission and returns a builder of messages on it. */
  const stored = async () => {
    const place = await makeForm();
    const sent = submission(place);
    await store.queue.accept(sent);
    const submissionId = sent.id;
    const message = (kind: 'note' | 'reply', parts: Partial<NewMessage> = {}): NewMessage => ({
      id: newId('msg'),
      submissionId,
      formId: place.form.id,
      kind,
      authorId: 'usr_a',
      body: Buffer.from('sealed'),
      ...parts,
    });
    const reply = async (parts: Partial<NewMessage> = {}) => {
      const one = message('reply', parts);
      await store.messages.add(one, { id: newId('mail'), messageId: `<${one.id}@x.example>` }, place.teamId);
      return one.id;
    };
    const idsOf = async () => (await store.messages.list([submissionId])).map(({ id }) => id);
    return { ...place, submissionId, message, reply, idsOf };
  };

  describe(`messages in ${engine.name}`, () => {
    afterAll(() => store.close());

    test('are listed in order, also if the clock steps back, and a reply comes with its mail', async () => {
      const { teamId, submissionId, message, reply, idsOf, form } = await stored();
      const note = message('note');
      expect(await store.messages.add(note, null, teamId)).toBe(true);
      clock.now -= MINUTE;
      const replyId = await reply();
      expect(await idsOf()).toEqual([note.id, replyId]);
      const mails = await store.inbox.listMailsOf(submissionId);
      expect(mails).toMatchObject([{ kind: 'reply', replyId, formId: form.id, submissionId, recipient: null }]);
      const claimed = await store.claims.mails(10, MINUTE);
      expect(claimed.map((mail) => mail.replyId)).toEqual([replyId]);
    });

    test('are stored once under one id, by its author only', async () => {
      const { teamId, message, idsOf, reply, submissionId } = await stored();
      const id = await reply();
      await reply({ id, body: Buffer.from('again') });
      expect((await store.inbox.listMailsOf(submissionId)).length).toBe(1);
      expect(store.messages.add(message('reply', { id, authorId: 'usr_b' }), null, teamId)).rejects.toThrow(
        'id is taken',
      );
      expect(await idsOf()).toEqual([id]);
    });

    test('need a submission of the team outside the trash', async () => {
      const { teamId, submissionId, message } = await stored();
      const other = await makeForm();
      expect(await store.messages.add(message('note'), null, other.teamId)).toBe(false);
      expect(await store.messages.add(message('note', { formId: other.form.id }), null, teamId)).toBe(false);
      await store.trash.moveSubmissions([submissionId], teamId, clock.now);
      expect(await store.messages.add(message('note'), null, teamId)).toBe(false);
      expect(await store.messages.list([submissionId])).toEqual([]);
    });

    test('are limited per submission, and replies per hour', async () => {
      const { teamId, message, reply, idsOf } = await stored();
      for (let count = 0; count < REPLIES_PER_HOUR; count++) await reply();
      expect(reply()).rejects.toThrow('Could not send the reply');
      expect(await store.messages.add(message('note'), null, teamId)).toBe(true);
      clock.now += HOUR + MINUTE;
      await reply();
      while ((await idsOf()).length < MAX_MESSAGES) await store.messages.add(message('note'), null, teamId);
      expect(store.messages.add(message('note'), null, teamId)).rejects.toThrow(`${MAX_MESSAGES} notes and replies`);
    });

    test('a note is deleted by its author only, and a reply never', async () => {
      const { teamId, submissionId, message, reply, idsOf } = await stored();
      const note = message('note');
      await store.messages.add(note, null, teamId);
      const replyId = await reply();
      const { teamId: otherTeam } = await makeForm();
      expect(await store.messages.deleteNote(note.id, submissionId, teamId, 'usr_b')).toBe(false);
      expect(await store.messages.deleteNote(note.id, submissionId, otherTeam, 'usr_a')).toBe(false);
      expect(await store.messages.deleteNote(replyId, submissionId, teamId, 'usr_a')).toBe(false);
      expect(await store.messages.deleteNote(note.id, submissionId, teamId, 'usr_a')).toBe(true);
      expect(await idsOf()).toEqual([replyId]);
    });

    test('go with their submission, and so do the mails of replies', async () => {
      const { teamId, submissionId, reply, idsOf } = await stored();
      await reply();
      await store.trash.moveSubmissions([submissionId], teamId, clock.now);
      expect(await store.retention.deleteSubmission(submissionId, teamId)).toEqual([]);
      expect([await idsOf(), await store.inbox.listMailsOf(submissionId)]).toEqual([[], []]);
    });

    test('a reply that failed keeps its mail, and one that was sent does not', async () => {
      const { submissionId, reply } = await stored();
      const [failed] = [await reply(), await reply()];
      for (const mail of await store.claims.mails(10, MINUTE)) {
        const isFailed = mail.replyId === failed;
        const result = isFailed ? ({ state: 'dead', reason: Buffer.from('x') } as const) : ({ state: 'sent' } as const);
        await store.mails.recordResult(mail.id, mail.fence, result);
      }
      clock.now += 31 * DAY;
      await store.mails.prune();
      await store.mails.prune();
      const mails = await store.inbox.listMailsOf(submissionId);
      expect(mails.map((mail) => [mail.replyId, mail.state])).toEqual([[failed, 'canceled']]);
      expect(await store.mails.failedRecipients(null, 10)).toEqual([]);
      expect(await store.mails.retry({ id: mails[0]?.id ?? '' })).toBe(1);
    });

    test('assignments are to members of the team, and end with the membership or the account', async () => {
      const { teamId, submissionId } = await stored();
      await makeMember(teamId, 'owner');
      const [ada, bob] = [await makeMember(teamId, 'editor'), await makeMember(teamId, 'viewer')];
      const stranger = await makeMember((await makeForm()).teamId, 'owner');
      const assignee = async () => (await store.submissions.find(submissionId, teamId))?.assignedTo;
      expect(await store.messages.assignSubmission([submissionId], teamId, stranger.id)).toEqual([]);
      expect(await store.messages.assignSubmission([submissionId], teamId, ada.id)).toEqual([submissionId]);
      expect(await assignee()).toBe(ada.id);
      await store.members.remove(teamId, ada.id);
      expect(await assignee()).toBeNull();
      await store.messages.assignSubmission([submissionId], teamId, bob.id);
      await store.members.deleteUser(bob.id);
      expect(await assignee()).toBeNull();
      expect(await store.messages.assignSubmission([submissionId], (await makeForm()).teamId, null)).toEqual([]);
    });
  });
}
