// The decision on a version that waits: approved with or without a word, rejected after a question and with a reason (L2).
import { useRef, useState } from 'preact/hooks';
import { isAuthor, pathOf } from '../model/library.ts';
import type { LibraryList, LibraryVersion, Me } from '../model/shapes.ts';

interface DecideVersionProps {
  readonly version: LibraryVersion;
  readonly me: Me;
  readonly review: LibraryList['review'] | undefined;
  readonly act: (path: string, body: object) => Promise<boolean>;
}

const NEEDS_REASON = 'Say why: its author reads it.';

export function DecideVersion({ version, me, review, act }: DecideVersionProps) {
  const { name, digest, number } = version;
  const [message, setMessage] = useState('');
  const [isRejecting, setRejecting] = useState(false);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const field = useRef<HTMLInputElement>(null);
  const decide = (what: 'approve' | 'reject') =>
    act(pathOf(name, 'versions', digest, what), { message: message.trim() });
  const reject = () => {
    if (message.trim() !== '') return void decide('reject');
    setFault(NEEDS_REASON);
    field.current?.focus();
  };
  const askFirst = () => {
    setRejecting(true);
    field.current?.focus();
  };
  const keep = () => {
    setRejecting(false);
    setFault(undefined);
  };
  const mayNotApprove = review === 'on' && isAuthor(version, me);
  const id = `decision-${number}`;
  return (
    <>
      {mayNotApprove && <p class="small">Review is on and you made this version: another person has to approve it.</p>}
      <div class="form-tools">
        <label class="unseen" for={id}>
          Why, about version {number}
        </label>
        <input
          ref={field}
          id={id}
          type="text"
          placeholder={isRejecting ? 'Why it is rejected' : 'Why'}
          value={message}
          aria-invalid={fault !== undefined}
          onInput={(event) => setMessage(event.currentTarget.value)}
        />
        {!mayNotApprove && !isRejecting && (
          <button type="button" class="button primary" onClick={() => decide('approve')}>
            Approve
          </button>
        )}
        <button
          type="button"
          class={isRejecting ? 'button danger' : 'button'}
          onClick={({ detail }) => (isRejecting ? detail < 2 && reject() : askFirst())}
        >
          {isRejecting ? `Reject version ${number}` : 'Reject'}
        </button>
        {isRejecting && (
          <button type="button" class="button" onClick={keep}>
            Cancel
          </button>
        )}
      </div>
      <p class="field-fault" role="alert">
        {fault}
      </p>
    </>
  );
}
