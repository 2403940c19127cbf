// Rule destructive-command: what would cost a machine or a home directory (THREATS: risky shapes in documents).
import { describe, expect, test } from 'vitest';
import { inspectText } from '../inspect.ts';

const code = (line: string): string => `Clean up:\n\n\`\`\`bash\n${line}\n\`\`\`\n`;

describe('destructive-command reports', () => {
  test.each([
    ['rm -rf /', 'high'],
    ['sudo rm -rf --no-preserve-root /', 'high'],
    ['rm -fr ~', 'high'],
    ['rm  -rf ~', 'high'],
    ['rm ~ -rf', 'high'],
    ['rm / --recursive', 'high'],
    ['rm -rf ~/*', 'high'],
    ['rm -rf "$HOME"', 'high'],
    [`rm -rf $${'{HOME}'}/`, 'high'],
    ['cd build && rm -r -f /etc', 'high'],
    ['rm -rf build /usr', 'high'],
    ['find / -type f -delete', 'high'],
    ['find . -name x -exec rm -rf ~ +', 'high'],
    ['chmod -R 777 /', 'high'],
    ['chmod a+rwx -R /', 'high'],
    ['chmod 0777 -R ~', 'high'],
    ['chown -R nobody ~', 'high'],
    ['chown nobody -R ~', 'high'],
    ['bash -c "cd x; rm -rf /"', 'high'],
    ['mkfs.ext4 /dev/sda1', 'medium'],
    ['dd if=/dev/zero of=/dev/sda bs=1M', 'high'],
    ['dd if=image.iso of=/dev/sdb', 'medium'],
    ['cat image > /dev/nvme0n1', 'high'],
    [':(){ :|:& };:', 'high'],
    ['Remove-Item -Recurse -Force C:\\', 'high'],
    ['ri C:\\ -Recurse', 'high'],
    ['rmdir /s /q C:\\', 'high'],
    ["name = 'localhost; rm -rf /'", 'medium'],
  ])('%s', (line, severity) => {
    expect(inspectText(code(line))).toMatchObject([{ rule: 'destructive-command', severity, line: 4 }]);
  });

  test('in prose', () => {
    expect(inspectText('If something goes wrong, run `rm -rf ~` and start again.')).toMatchObject([
      { rule: 'destructive-command', severity: 'high' },
    ]);
  });
});

describe('destructive-command spares cleaning up', () => {
  test.each([
    ['rm -rf node_modules'],
    ['rm -rf ./dist'],
    ['rm -rf "$TMPDIR/x"'],
    ['rm -rf ~/.cache/tool "$HOME/tmp"'],
    ['rm -rf /var/lib/apt/lists/* /tmp/*'],
    ['rm /tmp/x'],
    ['rm -f ~/.cache.lock'],
    ['find . -name "*.pyc" -delete'],
    ['chmod -R 755 public'],
    ['chmod -R u+w ~/project'],
    ['chown -R app /srv/app'],
    ['mkfs.ext4 disk.img'],
    ['dd if=/dev/zero of=test.bin bs=1M count=10'],
    ['dd if=test.bin of=/dev/null'],
    ['sudo dd if=pi.img of=/dev/sdX bs=4M'],
    ['make > /dev/null 2>&1'],
    ['"deny": ["Bash(rm -rf /)"]'],
    ['"deny": [\n  "Bash(rm -rf /)"\n]'],
    ['# dangerous\nrm -rf /'],
  ])('%s', (line) => {
    expect(inspectText(code(line))).toEqual([]);
  });

  test.each([
    ['Never run `rm -rf /`.'],
    ['A name such as `x; rm -rf /` must not reach a shell.'],
    ['The hook blocks `rm -rf /` and `rm -rf ~`.'],
    ['Flag these:\n\n- `rm -rf /`\n- `:(){ :|:& };:`\n'],
    ['`chmod -R 777 /` is a red flag.'],
    ['Use rm -rf build in the folder / and go on.'],
  ])('%s', (text) => {
    expect(inspectText(text)).toEqual([]);
  });
});
