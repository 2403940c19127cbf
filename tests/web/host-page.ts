// A host of MCP Apps as small as it can be, for a browser: the real bridge on one side, a sandboxed frame on the other.
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';

/** What the test puts into the page before this runs; it asks the real server. */
interface HostWindow {
  callTool(params: unknown): Promise<never>;
  /** Starts the app in the frame, as if the named tool had just answered. */
  showApp(html: string, result: unknown, theme: 'light' | 'dark'): Promise<void>;
  setTheme(theme: 'light' | 'dark'): void;
  readonly openedLinks: string[];
  /** Heights that the app asked for. */
  readonly heights: number[];
}

interface Frame {
  srcdoc: string;
  readonly contentWindow: unknown;
}

// The page's own globals: the types of a browser are not those of the tests.
const page = globalThis as unknown as HostWindow & {
  openedLinks: string[];
  heights: number[];
  document: { querySelector(selector: string): Frame };
};

page.openedLinks = [];
page.heights = [];

page.showApp = async (html, result, theme) => {
  const frame = page.document.querySelector('iframe');
  const bridge = new AppBridge(
    null,
    { name: 'test-host', version: '1' },
    { serverTools: {}, openLinks: {} },
    { hostContext: { theme } },
  );
  bridge.oncalltool = (params) => page.callTool(params);
  bridge.onopenlink = async ({ url }) => {
    page.openedLinks.push(url);
    return {};
  };
  bridge.onsizechange = ({ height }) => {
    if (height !== undefined) page.heights.push(height);
  };
  page.setTheme = (next) => bridge.setHostContext({ theme: next });
  const ready = new Promise<void>((resolve) => {
    bridge.oninitialized = () => resolve();
  });
  const side = frame.contentWindow as never;
  await bridge.connect(new PostMessageTransport(side, side));
  frame.srcdoc = html;
  await ready;
  await bridge.sendToolInput({ arguments: {} });
  await bridge.sendToolResult(result as never);
};
