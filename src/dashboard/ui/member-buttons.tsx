/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Member } from '../../domain/users/user.ts';
import { SUBMISSION_TEXTS } from '../submissions/detail/texts.ts';
import type { Viewer } from '../viewer.ts';

type Props = Readonly<{
  viewer: Viewer;
  members: readonly Member[];
  /** The member that is assigned, if one submission is assigned. */
  assignee?: Member | undefined;
  /** The id of the form of the buttons, if they are not in it. */
  form?: string;
}>;

/** Buttons that assign to a member, the viewer first, or to nobody. */
export function MemberButtons({ viewer, members, assignee, form }: Props) {
  const t = SUBMISSION_TEXTS[viewer.language];
  const isViewer = ({ email }: Member) => email === viewer.person?.email;
  const others = members.filter((member) => member !== assignee);
  return (
    <>
      {others
        .toSorted((a, b) => Number(isViewer(b)) - Number(isViewer(a)))
        .map((member) => (
          <button class="quiet" name="user" value={member.userId} form={form}>
            {isViewer(member) ? t.assignToMe : <bdi>{member.email}</bdi>}
          </button>
        ))}
      {(assignee || form) && (
        <button class="quiet" name="user" value="" form={form}>
          {t.nobody}
        </button>
      )}
    </>
  );
}
