// Says what it was told, and in which process: as a worker skill, and as a bare process that is forked.
export default ({ text }) => ({ text, pid: process.pid });

process.on('message', ({ text }) => process.send({ text, pid: process.pid }));
