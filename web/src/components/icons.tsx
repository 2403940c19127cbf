// The icons, drawn with one pen. All of them stand beside words, so that they need none of their own.

const PATHS = {
  brand: 'M5 6h14M5 12h14M5 18h8',
  overview: 'M4 20V10M10 20V4M16 20v-7M22 20H2',
  skills: 'M4 5a2 2 0 0 1 2-2h13v16H6a2 2 0 0 0-2 2V5Zm0 14a2 2 0 0 1 2-2h13',
  activity: 'M3 12h4l3-8 4 16 3-8h4',
  runs: 'M4 12a8 8 0 0 1 13.7-5.7L20 8.5M20 4v4.5h-4.5M20 12a8 8 0 0 1-13.7 5.7L4 15.5M4 20v-4.5h4.5',
  problems: 'M12 4 2.5 20h19L12 4Zm0 6v5m0 2.5v.5',
  upkeep: 'M4 20 14 10m0 0a4.5 4.5 0 0 1 5.5-6L16 7.5l.5 2 2 .5L22 6.5A4.5 4.5 0 0 1 14 10Z',
  agents: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-8 9c0-4 4-6 8-6s8 2 8 6',
  library: 'M5 4v16M9 4v16M13 4v16m3-15.5 4 15',
  trail: 'M6 4v16M6 6h13M6 12h9M6 18h13',
  people:
    'M9 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7 8c0-3.5 3-5.5 7-5.5s7 2 7 5.5m1-8.5a3.5 3.5 0 0 0 0-7m2 10c2 .8 3 2.5 3 5',
  connect: 'M9 3v5m6-5v5M6 8h12v3a6 6 0 0 1-12 0V8Zm6 9v4',
  more: 'M4 12a1 1 0 1 0 2 0 1 1 0 0 0-2 0Zm7 0a1 1 0 1 0 2 0 1 1 0 0 0-2 0Zm7 0a1 1 0 1 0 2 0 1 1 0 0 0-2 0Z',
  check: 'm5 13 4 4L19 7',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm5-2 5 5',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm0-13v2m0 14v2M3 12h2m14 0h2M5.6 5.6 7 7m10 10 1.4 1.4m0-12.8L17 7M7 17l-1.4 1.4',
  moon: 'M20 14.5A8 8 0 0 1 9.5 4 8 8 0 1 0 20 14.5Z',
  leave: 'M14 4H6v16h8m-3-8h10m-3-3 3 3-3 3',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <path d={PATHS[name]} stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}
