/** For the processes of the benchmark: answers each question of the parent, and ends with it. */
export function answerParent(answer: (question: never) => Promise<unknown>): void {
  process.on('message', (question) => {
    void answer(question as never).then((given) => process.send?.(given));
  });
  process.on('disconnect', () => process.exit());
}
