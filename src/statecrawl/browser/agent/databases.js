// Databases of the page: what it asks of them is outstanding until they answer.

const DATABASE_MS = 1000; // so long one is waited for

function watchDatabases(win) {
  const awaiting = (asked, ...answers) => {
    let isOver = false;
    const over = () => {
      if (!isOver) end();
      isOver = true;
    };
    begin();
    for (const kind of answers) realm.listen.call(asked, kind, over);
    realm.setTimeout(over, DATABASE_MS);
    return asked;
  };
  for (const name of ["open", "deleteDatabase"]) {
    replace(win.IDBFactory?.prototype, name, (original) => ({
      [name](...args) {
        return awaiting(original.apply(this, args), "success", "error", "blocked");
      },
    })[name]);
  }
  replace(win.IDBDatabase?.prototype, "transaction", (original) => ({
    transaction(...args) {
      return awaiting(original.apply(this, args), "complete", "abort");
    },
  }).transaction);
}
