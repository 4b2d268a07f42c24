/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { PropsWithChildren } from 'hono/jsx';
import { Avatar } from './avatar.tsx';

type Props = PropsWithChildren<Readonly<{ id: string; title: string; isNamed: boolean; text: string }>>;

/** A submission in a list: its sender, or else `title`, a short text and what the children add, with a link to it. */
export function SubmissionEntry({ id, title, isNamed, text, children }: Props) {
  return (
    <li class="entry">
      <Avatar name={isNamed ? title : ''} of={isNamed ? title : id} />
      <a class="cover grow" href={`/dashboard/submissions/${id}`}>
        <bdi>{title}</bdi>
        <br />
        <bdi class="soft small">{text}</bdi>
      </a>
      <span class="small soft">{children}</span>
    </li>
  );
}
