class é { }
// lone  return
#!x