// The command that connects a host, or the entry for its file, with the address and the token of this server in it.
import { Command } from '../components/command.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { JsonText } from '../components/json-view.tsx';
import { Ticked } from '../components/ticked.tsx';
import type { Host, TokenPlace } from '../model/shapes.ts';

/** Over HTTP to this server, or as a program that the host starts. */
export type Way = 'http' | 'program';

interface HostInstructionsProps {
  readonly host: Host;
  readonly way: Way;
  /** `undefined`: none is needed. */
  readonly token: string | undefined;
  /** Whose token it is. */
  readonly agent: string | undefined;
  readonly isHere: boolean;
}

export function HostInstructions({ host, way, token, agent, isHere }: HostInstructionsProps) {
  const { command, entry } = (way === 'http' ? host.http : undefined) ?? host.program;
  const isRemote = way === 'http';
  return (
    <>
      {command === null && isRemote && <Address token={token} />}
      {command !== null && (
        <div class="stack tight">
          <p>{isHere ? 'Run this in a terminal:' : 'Where Repertoire is installed, run:'}</p>
          <Command text={withToken(command, token)} />
        </div>
      )}
      {token !== undefined && isRemote && (
        <p class="small muted break">Copy it now: the token of {agent} is not shown again.</p>
      )}
      <details class="entry" open={command === null || !isHere}>
        <summary>{entryTitle(host, command !== null)}</summary>
        <Entry text={withToken(entry, token)} format={host.format} />
      </details>
      {isRemote && host.token_variable !== null && token !== undefined && (
        <div class="stack tight">
          <p>{host.title} reads the token from its environment:</p>
          <Command text={`export ${host.token_variable}=${token}`} what="variable" />
        </div>
      )}
      {host.needs !== null && (
        <p>
          <Ticked text={host.needs} />
        </p>
      )}
      <p>
        Then <Ticked text={host.next} />
      </p>
    </>
  );
}

const PLACE: TokenPlace = 'YOUR_TOKEN';

/** A token has no character that a shell, JSON, TOML or YAML reads anything into. */
const withToken = (text: string, token: string | undefined): string =>
  token === undefined ? text : text.replaceAll(PLACE, token);

function entryTitle({ file }: Host, hasCommand: boolean): string {
  if (file === null) return 'As JSON, which most hosts take';
  return hasCommand ? `Or add this to ${file}` : `Add this to ${file}`;
}

/** For a host with fields of its own. */
const Address = ({ token }: { readonly token: string | undefined }) => (
  <dl class="facts">
    <dt>Address</dt>
    <dd>
      <Command text={`${location.origin}/mcp`} what="address" />
    </dd>
    <dt>Transport</dt>
    <dd>Streamable HTTP</dd>
    {token !== undefined && (
      <>
        <dt>Token</dt>
        <dd>
          <Command text={token} what="token" />
        </dd>
        <dt>Header</dt>
        <dd>
          <code>Authorization: Bearer TOKEN</code>
        </dd>
      </>
    )}
  </dl>
);

function Entry({ text, format }: { readonly text: string; readonly format: Host['format'] }) {
  if (format === 'json') return <JsonText text={text} label="Entry" />;
  return (
    <section class="json" aria-label="Entry">
      <CopyButton text={() => text} what="entry" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <pre class="code" tabIndex={0}>
        {text}
      </pre>
    </section>
  );
}
