// A page: its heading, which takes the focus when the page is opened, and what belongs to it.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface PageProps {
  readonly title: string;
  readonly lede?: ComponentChildren;
  readonly crumb?: ComponentChildren;
  /** At the right of the heading. */
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Page({ title, lede, crumb, tools, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Repertoire`;
    // Screen readers announce the page; a field that already has the focus keeps it.
    if (document.activeElement === document.body || document.activeElement === null) heading.current?.focus();
  }, [title]);
  return (
    <div class="page">
      <header class="page-head">
        <div>
          {crumb !== undefined && <span class="crumb">{crumb}</span>}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lede !== undefined && <p class="lede">{lede}</p>}
        </div>
        {tools}
      </header>
      {children}
    </div>
  );
}

interface CardProps {
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly children: ComponentChildren;
  /** Its id, for links that scroll to it. */
  readonly place?: { current: HTMLElement | null };
  /** It shows something that the reader chose elsewhere. */
  readonly isMarked?: boolean;
}

export function Card({ title, note, children, place, isMarked = false }: CardProps) {
  return (
    <section
      class={isMarked ? 'card marked' : 'card'}
      aria-label={title}
      {...(place === undefined ? {} : { ref: place, tabIndex: -1 })}
    >
      <header>
        <h2 class="break">{title}</h2>
        {note !== undefined && <span class="note">{note}</span>}
      </header>
      {children}
    </section>
  );
}
