@lf_pool = internal constant [1 x i8] c"\00", align 4

define internal i16 @"run.init.0"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) nounwind {
entry:
  br label %b.1
b.1:
  %b.1.t1 = getelementptr i8, ptr %b, i32 8
  store i8 0, ptr %b.1.t1, align 1
  %b.1.t2 = getelementptr i8, ptr %b, i32 9
  %b.1.t3 = getelementptr i8, ptr %b, i32 4
  %b.1.t4 = load i32, ptr %b.1.t3, align 4
  %b.1.t5 = sext i32 %b.1.t4 to i64
  %b.1.t6 = icmp sge i64 %b.1.t5, -128
  %b.1.t7 = icmp sle i64 %b.1.t5, 127
  %b.1.t8 = and i1 %b.1.t6, %b.1.t7
  br i1 %b.1.t8, label %ok.1, label %bad.1, !prof !0
bad.1:
  call void @lf_fault(ptr %b, i8 zeroext 2, i16 zeroext 0, i32 %b.1.t4, i32 0) #1
  unreachable
ok.1:
  %ok.1.t1 = trunc i32 %b.1.t4 to i8
  store i8 %ok.1.t1, ptr %b.1.t2, align 1
  br label %b.3
b.2:
  %b.2.t1 = sub i8 %slot, 0
  call void @lf_end(ptr %b, i16 zeroext 0, i8 zeroext %b.2.t1, i8 zeroext 0, i8 zeroext %slot, ptr %record, i16 zeroext 0)
  ret i16 -32768
b.3:
  %b.3.t1 = getelementptr i8, ptr %b, i32 8
  %b.3.t2 = load i8, ptr %b.3.t1, align 1
  %b.3.t3 = getelementptr i8, ptr %b, i32 9
  %b.3.t4 = load i8, ptr %b.3.t3, align 1
  %b.3.t5 = icmp sle i8 %b.3.t2, %b.3.t4
  br i1 %b.3.t5, label %b.4, label %b.6
b.4:
  %b.4.t1 = getelementptr i8, ptr %b, i32 4
  %b.4.t2 = load i32, ptr %b.4.t1, align 4
  %b.4.t3 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %b.4.t2, i32 1)
  %b.4.t4 = extractvalue { i32, i1 } %b.4.t3, 0
  %b.4.t5 = extractvalue { i32, i1 } %b.4.t3, 1
  %b.4.t6 = xor i1 %b.4.t5, true
  br i1 %b.4.t6, label %ok.2, label %bad.2, !prof !0
bad.2:
  call void @lf_fault(ptr %b, i8 zeroext 3, i16 zeroext 1, i32 %b.4.t2, i32 1) #1
  unreachable
ok.2:
  store i32 %b.4.t4, ptr %b.4.t1, align 4
  %ok.2.t1 = getelementptr i8, ptr %b, i32 8
  %ok.2.t2 = load i8, ptr %ok.2.t1, align 1
  %ok.2.t3 = icmp sle i8 %ok.2.t2, 126
  br i1 %ok.2.t3, label %b.5, label %b.6
b.5:
  %b.5.t1 = getelementptr i8, ptr %b, i32 8
  %b.5.t2 = load i8, ptr %b.5.t1, align 1
  %b.5.t3 = add i8 %b.5.t2, 1
  store i8 %b.5.t3, ptr %b.5.t1, align 1
  %b.5.t4 = getelementptr i8, ptr %b, i32 -4
  %b.5.t5 = load i32, ptr %b.5.t4, align 4
  %b.5.t6 = icmp ne i32 %b.5.t5, 0
  br i1 %b.5.t6, label %ok.3, label %bad.3, !prof !0
bad.3:
  call void @lf_fault(ptr %b, i8 zeroext 12, i16 zeroext 2, i32 0, i32 0) #1
  unreachable
ok.3:
  %ok.3.t1 = sub i32 %b.5.t5, 1
  store i32 %ok.3.t1, ptr %b.5.t4, align 4
  br label %b.3
b.6:
  %b.6.t1 = getelementptr i8, ptr %b, i32 9
  store i8 0, ptr %b.6.t1, align 1
  %b.6.t2 = getelementptr i8, ptr %b, i32 4
  %b.6.t3 = load i32, ptr %b.6.t2, align 4
  %b.6.t4 = sub i32 %b.6.t3, 10
  %b.6.t5 = icmp ule i32 %b.6.t4, 80
  br i1 %b.6.t5, label %b.8, label %outside.1
outside.1:
  switch i32 %b.6.t3, label %other.1 [ i32 1, label %b.7 ]
other.1:
  call void @lf_fault(ptr %b, i8 zeroext 5, i16 zeroext 3, i32 %b.6.t3, i32 0) #1
  unreachable
b.7:
  %b.7.t1 = getelementptr i8, ptr %b, i32 4
  store i32 2, ptr %b.7.t1, align 4
  br label %b.2
b.8:
  %b.8.t1 = getelementptr i8, ptr %b, i32 4
  store i32 3, ptr %b.8.t1, align 4
  br label %b.2
}
