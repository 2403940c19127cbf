// Sections that skills share whatever they are about, as collections of skills do. They say nothing that decides a query.

export interface Section {
  readonly heading: string;
  readonly text: string;
}

export const sharedSections: readonly Section[] = [
  {
    heading: 'Before you start',
    text: `Read the whole request and look at the files that it names. If something essential is missing, ask one question
and wait for the answer. Do not ask for what you can find out yourself. Make sure that you have a copy of everything that
you are about to change, and write down where it is. Work in a scratch folder and leave the working directory as you
found it.`,
  },
  {
    heading: 'Output',
    text: `Answer with a short summary first: what was done, what was found, what is left. Then the details, in the order of
their importance. Put long lists and tables into a file and give its path. Use the language of the request. Do not repeat
the request and do not describe your own steps unless somebody asks for them.`,
  },
  {
    heading: 'When something goes wrong',
    text: `Stop at the first error which you do not understand. Show the message as it was printed, say what you tried, and
propose the next step. Never hide a failure behind a warning. A partial result is fine if it is marked as partial and the
report says which items are missing and why.`,
  },
  {
    heading: 'Checklist',
    text: `- [ ] The input was read completely and nothing was changed in place.
- [ ] Each result was checked against its source.
- [ ] Numbers, names and dates were copied and not typed from memory.
- [ ] Assumptions are listed at the end of the report.
- [ ] Temporary files are deleted.`,
  },
  {
    heading: 'Supporting files',
    text: `The folder \`scripts/\` holds small programs for the repetitive parts; run them with \`--help\` first. The folder
\`references/\` holds longer explanations, which you only need to open when a step refers to them. Nothing in these folders
has to be changed for normal use. If a script fails, read its source before you work around it.`,
  },
  {
    heading: 'Quality',
    text: `A good result is complete, correct and easy to check. Prefer a simple solution that a colleague understands at once
to a clever one. Compare the result with an earlier one if there is any. Have a second look after a break: most mistakes
are visible to somebody who comes back with fresh eyes. If you are not sure, say how sure you are.`,
  },
  {
    heading: 'Limits',
    text: `This skill does not replace an expert. It works for the usual cases and says so when a case is unusual. It does not
send, publish, pay, delete or deploy anything by itself: a person has to confirm such steps. It needs no network unless a
step says so, and it stores no personal data.`,
  },
  {
    heading: 'Working with others',
    text: `Tell the people concerned before you begin and when you are done. If two people ask for contradicting things, show
them the contradiction and let them decide. Keep messages short. Give credit to whoever did the work, and record decisions
where the next person will look for them.`,
  },
  {
    heading: 'Examples of requests',
    text: `"Can you have a look at this and tell me what you think?" · "Please do the same as last month with the new files." ·
"I need this by tomorrow morning, what is the quickest safe way?" · "Something is wrong here and I do not know where to
start." Each of them deserves the same steps as above; only the depth differs.`,
  },
  {
    heading: 'Version history',
    text: `Version 1.2: clearer steps and a checklist. Version 1.1: added a section on limits after feedback from several teams.
Version 1.0: first version. Suggestions are welcome; open an issue and describe what you expected, what happened instead,
and which version you used.`,
  },
];
